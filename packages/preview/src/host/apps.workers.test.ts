import { describe, expect, test } from "vitest";
import { type Files, inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

async function bodyOf(files: Files, path = "/", init?: RequestInit): Promise<string> {
  return inHost(
    async ({ open, get }) => (await get(await open({ "wrangler.json": wrangler(), ...files }), path, init)).text,
  );
}

const answers = (expression: string): string => `export default { fetch: () => Response.json(${expression}) };`;

describe("modules", () => {
  const TREE: Files = {
    "tsconfig.json": `{ // with a comment
      "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*"] }, "jsx": "react-jsx", "jsxImportSource": "@/jsx", } }`,
    "package.json": { imports: { "#own": "./src/own.ts" } },
    "src/jsx/jsx-runtime.ts": `export const jsx = (tag: string, props: object) => ({ tag, props });`,
    "src/element.tsx": `export const element = <p id="x">hi</p>;`,
    "src/folder/index.ts": `export default "index" as string; export type T = number; export enum E { A = 3 }`,
    "src/own.ts": `export const own = "#own";`,
    "src/data.json": { json: true },
    "src/page.html": "<p>html</p>",
    "src/style.css": "p { color: red }",
    "src/late.ts": `export const late: string = "late";`,
    "src/old.cjs": `const other = require("./older"); exports.named = other.deep + 1; exports.default = "d"; exports.__esModule = true;`,
    "src/older.js": `module.exports = { deep: 41 };`,
    "src/reexport.ts": `export { own as again } from "#own"; export * as all from "./folder";`,
  };

  test.each([
    ["TypeScript, a folder and an enum", `import d, { E, type T } from "./folder";`, `[d, E.A]`, ["index", 3]],
    [
      "what looks like a decorator",
      "const css: string = `\n@media print {}`; /*\n@param */",
      `css`,
      "\n@media print {}",
    ],
    ["a written extension", `import { own } from "./own.js";`, `own`, "#own"],
    ["tsconfig paths", `import { own } from "@/own";`, `own`, "#own"],
    ["tsconfig baseUrl", `import { own } from "src/own";`, `own`, "#own"],
    [
      "an alias, named from the project",
      `import { own } from "the-own"; import data from "folder/data.json";`,
      `[own, data]`,
      ["#own", { json: true }],
    ],
    ["package imports", `import { own } from "#own";`, `own`, "#own"],
    ["JSX", `import { element } from "./element";`, `element`, { tag: "p", props: { id: "x", children: "hi" } }],
    ["JSON", `import data from "./data.json" with { type: "json" };`, `data`, { json: true }],
    [
      "text and styles",
      `import a from "./page.html"; import b from "./style.css";`,
      `[a, b]`,
      ["<p>html</p>", "p { color: red }"],
    ],
    ["re-exports", `import { again, all } from "./reexport";`, `[again, all.default]`, ["#own", "index"]],
    [
      "CommonJS",
      `import d, { named } from "./old.cjs"; import older from "./older";`,
      `[d, named, older.deep]`,
      ["d", 42, 41],
    ],
    [
      "Node's modules",
      `import { join } from "node:path"; import { Buffer } from "buffer";`,
      `[join("a", "b"), typeof Buffer]`,
      ["a/b", "function"],
    ],
    [
      "a query that says what it is",
      `import own from "./data.json";`,
      `import.meta.url === undefined || own.json`,
      true,
    ],
  ])("%s", async (_, imports, expression, expected) => {
    const alias = { "the-own": "./src/own", folder: "./src" };
    const config = wrangler({ compatibility_flags: ["nodejs_compat"], alias });
    const text = await bodyOf({
      ...TREE,
      "wrangler.json": config,
      "src/index.ts": `${imports}\n${answers(expression)}`,
    });
    expect(JSON.parse(text)).toEqual(expected);
  });

  test("a dynamic import", async () => {
    const source = `export default { fetch: async () => Response.json((await import("./late")).late) };`;
    expect(await bodyOf({ ...TREE, "src/index.ts": source })).toBe('"late"');
  });
});

describe("problems", () => {
  test.each<[string, Files, string]>([
    ["no configuration", { "wrangler.json": "" }, "wrangler.json:1:1: not valid JSON: value expected"],
    [
      "a field of the wrong kind",
      { "wrangler.json": wrangler({ main: 1 }) },
      "wrangler.json:1:22: main: Invalid input: expected string, received number",
    ],
    ["a main that is missing", { "src/other.ts": "" }, "wrangler.json: there is no src/index.ts, which main names"],
    [
      "an import of nothing",
      { "src/index.ts": `\nimport "./nothing";` },
      `src/index.ts:2:9: cannot find "./nothing", which src/index.ts imports`,
    ],
    [
      "an npm package",
      { "src/index.ts": `import "hono";` },
      `src/index.ts: cannot find "hono": this preview has no npm packages`,
    ],
    ["a syntax error", { "src/index.ts": "let a = ;" }, "src/index.ts:1:9: Unexpected token"],
    [
      "a namespace",
      { "src/index.ts": "\nexport namespace N { export const a = 1 }" },
      "src/index.ts:2:1: a preview does not transform namespaces",
    ],
    [
      "a decorator",
      { "src/index.ts": "const d: any = () => {};\n@d\nexport class A {}\nexport default {}" },
      "src/index.ts:2:1: a preview does not transform decorators",
    ],
    [
      "a file that is no module",
      { "src/index.ts": `import "./a.png";`, "src/a.png": "" },
      "src/a.png: a Worker cannot import this kind of file",
    ],
    ["JSON that is none", { "src/index.ts": `import "./a.json";`, "src/a.json": "{" }, "src/a.json: not valid JSON"],
  ])("%s", async (_, files, expected) => {
    expect(await bodyOf(files)).toContain(expected);
  });

  test.each<[string, string, string]>([
    [
      "when the app starts",
      "const a = 1;\nnothing.at.all();\nexport default {};",
      "ReferenceError: nothing is not defined\n    at src/index.ts:2:1",
    ],
    [
      "in a request",
      "export default {\n  fetch() {\n    throw new TypeError('boom');\n  } };",
      "TypeError: boom\n    at Object.fetch (src/index.ts:3:11)",
    ],
    [
      "in a class",
      "import { WorkerEntrypoint } from 'cloudflare:workers';\nexport default class extends WorkerEntrypoint {\n fetch() { throw new Error('of a class') } }",
      "Error: of a class\n    at ",
    ],
    [
      "for no default export",
      "const app = {};",
      "TypeError: The module that main names has no default export. Write, ",
    ],
    [
      "for a function as default export",
      "export default () => new Response();",
      "TypeError: The module that main names exports a function as default. Write, ",
    ],
    ["that is no error", "export default { fetch() { throw { a: 1 } } };", `Error: thrown: {"a":1}`],
    [
      "for a name that is not exported",
      "import { a } from './a';\na();\nexport default {};",
      "SyntaxError: The requested module './a.ts' does not provide an export named 'a'",
    ],
  ])("an exception %s is shown with its place", async (_, source, expected) => {
    await inHost(async ({ open, get, reports }) => {
      const preview = await open({ "wrangler.json": wrangler(), "src/index.ts": source, "src/a.ts": "export {}" });
      const { status, text } = await get(preview, "/");
      expect(status).toBe(500);
      expect(text).toContain(expected);
      expect(text).not.toContain("tenrec/");
      expect(reports.map(({ kind }) => kind)).toEqual(["exception", "request"]);
    });
  });

  test("a browser gets a page in which nothing of the app runs", async () => {
    const source = `throw new Error("<script>alert(1)</script>");`;
    const html = await bodyOf({ "src/index.ts": source }, "/", { headers: { accept: "text/html,*/*" } });
    expect(html).toContain("&lt;script&gt;alert(1)");
    expect(html).not.toContain("<script>");
  });
});

describe("reports", () => {
  test("the console, failed and slow requests", async () => {
    await inHost(
      async ({ open, get, reports }) => {
        const source = `export default { fetch(request) {
          console.log("said", { a: 1 }); console.warn("warned");
          return new Response("", { status: request.url.includes("/bad") ? 503 : 200 });
        } };`;
        const preview = await open({ "wrangler.json": wrangler(), "src/index.ts": source });
        await get(preview, "/bad?x=1");
        await expect
          .poll(() => reports.filter(({ kind }) => kind === "console").map(({ detail }) => detail))
          .toEqual([
            { level: "log", message: 'said {"a":1}' },
            { level: "warn", message: "warned" },
          ]);
        const requests = reports.filter(({ kind }) => kind === "request").map(({ detail }) => detail);
        expect(requests).toMatchObject([{ method: "GET", path: "/bad?x=1", status: 503 }]);
        await get(preview, "/good");
        expect(reports.filter(({ kind }) => kind === "request")).toHaveLength(1);
      },
      { slow: 1e9 },
    );
    await inHost(
      async ({ open, get, reports }) => {
        await get(await open({ "wrangler.json": wrangler(), "src/index.ts": answers("1") }), "/slow");
        expect(reports).toMatchObject([{ kind: "request", detail: { path: "/slow", status: 200 } }]);
      },
      { slow: 0 },
    );
  });

  test("an exception after the answer", async () => {
    await inHost(async ({ open, get, reports }) => {
      const source = `export default { fetch(request, env, ctx) {
        ctx.waitUntil((async () => { throw new Error("late") })());
        return new Response("answered");
      } };`;
      const preview = await open({ "wrangler.json": wrangler(), "src/index.ts": source });
      expect((await get(preview, "/")).text).toBe("answered");
      const at = { path: "/src/index.ts", line: 2 };
      await expect.poll(() => reports).toMatchObject([{ kind: "exception", detail: { message: "late", at } }]);
    });
  });
});

test("what a configuration asks for in vain is named, once", async () => {
  await inHost(async ({ open, get, reports }) => {
    const config = wrangler({ queues: { consumers: [{ queue: "q" }] }, ai: { binding: "AI" } });
    for (const text of ["1", "2"]) {
      await get(await open({ "wrangler.json": config, "src/index.ts": answers(text) }), "/");
    }
    expect(reports.map(({ detail }) => detail)).toEqual([
      { level: "warn", message: "ai (env.AI) of wrangler.json is not supported in a preview." },
      { level: "warn", message: "queues of wrangler.json is not supported in a preview." },
    ]);
  });
});

test("a project may be in a folder of the tree", async () => {
  const files = {
    "app/wrangler.json": wrangler({ assets: { directory: "public" } }),
    "app/src/index.ts": `import { word } from "@lib/word"; export default { fetch: () => new Response(word) };`,
    "app/src/lib/word.ts": `export const word = "hi";`,
    "app/tsconfig.json": { compilerOptions: { paths: { "@lib/*": ["./src/lib/*"] } } },
    "app/public/a.txt": "an asset",
    "src/index.ts": answers("of another project"),
  };
  const texts = await inHost(
    async ({ open, get }) => {
      const preview = await open(files);
      return [(await get(preview, "/")).text, (await get(preview, "/a.txt")).text];
    },
    { root: "/app" },
  );
  expect(texts).toEqual(["hi", "an asset"]);
});

describe("isolation", () => {
  const COUNTS = `globalThis.count = 0; export default { fetch(request, env) {
    return Response.json([globalThis.count++, env.SECRET, request.headers.get("cookie"), request.headers.get("authorization")]);
  } };`;

  test("one tree in two sessions, and in two objects, shares no global and no secret", async () => {
    const files = (secret: string): Files => ({
      "wrangler.json": wrangler(),
      ".dev.vars": `SECRET=${secret}`,
      "src/index.ts": COUNTS,
    });
    await inHost(async ({ open, get }) => {
      const [one, two] = [await open(files("a"), "s1"), await open(files("a"), "s2")];
      for (const count of [0, 1]) {
        expect(JSON.parse((await get(one, "/")).text)).toEqual([count, "a", null, null]);
        expect(JSON.parse((await get(two, "/")).text)).toEqual([count, "a", null, null]);
      }
      expect(JSON.parse((await get(await open(files("b"), "s1"), "/")).text)).toEqual([0, "b", null, null]);
    });
    await inHost(async ({ open, get }) => {
      expect(JSON.parse((await get(await open(files("a"), "s1"), "/")).text)).toEqual([0, "a", null, null]);
    });
  });

  test("a change of what is no module loads nothing new", async () => {
    await inHost(async ({ open, get }) => {
      const files: Files = { "wrangler.json": wrangler(), "src/index.ts": COUNTS };
      await get(await open(files), "/");
      expect(JSON.parse((await get(await open({ ...files, "README.md": "x" }), "/")).text)).toEqual([
        1,
        null,
        null,
        null,
      ]);
    });
  });

  // Which cookies and credentials are the app's own is known where the request comes in: in the agent's router.
  test("what the platform and the host say of a request does not go in", async () => {
    const headers = {
      cookie: "a=1",
      "x-own": "1",
      "cf-connecting-ip": "1.2.3.4",
      "tenrec-token": "x",
      "proxy-auth": "x",
    };
    const source = `export default { fetch: (request) => Response.json([...request.headers.keys()]) };`;
    expect(JSON.parse(await bodyOf({ "src/index.ts": source }, "/", { headers }))).toEqual(["cookie", "x-own"]);
  });
});

test("at most ten apps are kept, and the others come back", async () => {
  await inHost(async ({ open, get }) => {
    const app = (n: number): Files => ({ "wrangler.json": wrangler(), "src/index.ts": answers(String(n)) });
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    for (const n of numbers) expect((await get(await open(app(n)), "/")).text).toBe(String(n));
    for (const n of numbers) expect((await get(await open(app(n)), "/")).text).toBe(String(n));
  });
});

test("assets, their pages, and the Worker behind them", async () => {
  await inHost(async ({ open, get }) => {
    const assets = { directory: "public", binding: "ASSETS", not_found_handling: "404-page" };
    const source = `export default { async fetch(request, env) {
      return new URL(request.url).pathname === "/own" ? env.ASSETS.fetch("http://assets/page") : new Response("worker");
    } };`;
    const files = {
      "public/_redirects": "/old /page 301\n/shown /page 200\n/out/* https://example.com/:splat",
      "public/_headers": "/page\n  X-Own: 1",
      "public/index.html": "home",
      "public/page.html": "page",
      "public/404.html": "not here",
      "secret.txt": "secret",
    };
    const preview = await open({ "wrangler.json": wrangler({ assets }), "src/index.ts": source, ...files });
    expect(await get(preview, "/")).toMatchObject({ status: 200, text: "home" });
    expect(await get(preview, "/page")).toMatchObject({ text: "page" });
    expect((await get(preview, "/page")).headers.get("x-own")).toBe("1");
    expect((await get(preview, "/")).headers.get("x-own")).toBeNull();
    expect(await get(preview, "/shown")).toMatchObject({ status: 200, text: "page" });
    const old = await get(preview, "/old?a=1");
    expect([old.status, old.headers.get("location")]).toEqual([301, "/page?a=1"]);
    expect((await get(preview, "/out/x")).headers.get("location")).toBe("https://example.com/x");
    expect(await get(preview, "/_redirects")).toMatchObject({ text: "worker" });
    expect((await get(preview, "/page.html")).headers.get("location")).toBe("/page");
    expect(await get(preview, "/elsewhere")).toMatchObject({ text: "worker" });
    expect(await get(preview, "/own")).toMatchObject({ text: "page" });
    expect(await get(preview, "/%2e%2e%2fsecret.txt")).toMatchObject({ text: "worker" });
    expect(await get(preview, "/x", { headers: { "sec-fetch-mode": "navigate" } })).toMatchObject({
      status: 404,
      text: "not here",
    });
    const etag = (await get(preview, "/page")).headers.get("etag") ?? "";
    expect(await get(preview, "/page", { headers: { "if-none-match": etag } })).toMatchObject({ status: 304 });

    const only = {
      name: "app",
      compatibility_date: "2026-01-01",
      assets: { ...assets, not_found_handling: "single-page-application" },
    };
    const site = await open({ "wrangler.json": only, ...files });
    expect(await get(site, "/deep/link")).toMatchObject({ status: 200, text: "home" });
    expect(await get(site, "/", { method: "POST" })).toMatchObject({ status: 405 });
  });
});
