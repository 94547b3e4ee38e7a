import { describe, expect, it } from "vitest";
import type { Dependencies, DependencyRequest } from "../deps/dependencies.ts";
import { inHost } from "../with-host.ts";
import { installedPackages } from "../with-installed.workers.ts";
import { wrangler } from "../with-wrangler.ts";

const dependencies = installedPackages();

describe("a Worker with packages", () => {
  it("asks for them with all that says which they are", async () => {
    const asked: DependencyRequest[] = [];
    const bundle = (request: DependencyRequest): Promise<Dependencies> => {
      asked.push(request);
      return Promise.resolve({ modules: new Map(), imports: new Map(), problems: [{ message: "asked" }] });
    };
    const files = {
      "wrangler.jsonc": wrangler(),
      "package.json": "{}",
      "package-lock.json": "{}",
      ".npmrc": "registry=https://own.test",
      "src/index.ts": `import _, { debounce, chunk as c } from "lodash"; export default { fetch: () => _(c, debounce) };`,
    };
    await inHost(async ({ open, get }) => expect((await get(await open(files), "/")).text).toContain("asked"), {
      dependencies: { bundle },
    });
    expect(asked).toEqual([
      expect.objectContaining({
        specifiers: ["lodash"],
        names: new Map([["lodash", ["chunk", "debounce"]]]),
        manifest: "{}",
        lockfile: { name: "package-lock.json", text: "{}" },
        npmrc: "registry=https://own.test",
        target: "worker",
      }),
    ]);
  });

  it("says where in a package something was thrown", async () => {
    const files = {
      "wrangler.jsonc": wrangler(),
      "package.json": { type: "module", dependencies: { hono: "^4" } },
      "src/index.ts": `import { Hono } from "hono";
const app = new Hono();
app.onError((error) => { throw error; });
app.get("/", () => {
  throw new Error("from a handler");
});
export default app;`,
    };
    await inHost(
      async ({ open, get, reports }) => {
        const { text } = await get(await open(files), "/");
        expect(text).toMatch(
          /from a handler\n.*\(src\/index\.ts:5:9\)\n.*\(node_modules\/hono\/dist\/hono-base\.js:\d+:\d+\)/,
        );
        expect(text).not.toContain(".link-");
        expect(reports).toContainEqual(
          expect.objectContaining({
            detail: expect.objectContaining({ at: { path: "/src/index.ts", line: 5, column: 9 } }),
          }),
        );
      },
      { dependencies },
    );
  });

  it("answers with Hono and JSX of it", async () => {
    const files = {
      "wrangler.jsonc": wrangler(),
      "package.json": { type: "module", dependencies: { hono: "^4" } },
      "tsconfig.json": { compilerOptions: { jsx: "react-jsx", jsxImportSource: "hono/jsx" } },
      "src/index.ts": `import { Hono } from "hono"; import { page } from "./page"; export default new Hono().get("/", (c) => c.html(page("you")));`,
      "src/page.tsx": "export const page = (name: string) => <p>Hello {name}</p>;",
    };
    await inHost(async ({ open, get }) => expect((await get(await open(files), "/")).text).toBe("<p>Hello you</p>"), {
      dependencies,
    });
  });
});
