import { previewHostCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const answers = (text: string): string => `
  export default {
    async fetch(request: Request): Promise<Response> {
      if (new URL(request.url).pathname === "/echo") return new Response(request.body);
      return new Response(${JSON.stringify(text)} satisfies string);
    },
  };`;

describe("contract", () => {
  test.each(previewHostCases)("$name", async ({ run }) => {
    await inHost(async ({ previews, request }) => {
      const config = { "wrangler.json": wrangler() };
      await run(async () => ({
        host: previews,
        app: request({ ...config, "src/index.ts": answers("it works") }),
        changed: request({ ...config, "src/index.ts": answers("it changed") }),
        broken: request({ ...config, "src/index.ts": `import "./broken.ts";`, "src/broken.ts": "const a = {{;" }),
        [Symbol.asyncDispose]: async () => {},
      }));
    });
  });
});

test("an app answers", async () => {
  await inHost(async ({ open, get }) => {
    const preview = await open({ "wrangler.json": wrangler(), "src/index.ts": answers("hello") });
    expect(await get(preview, "/")).toMatchObject({ status: 200, text: "hello" });
  });
});
