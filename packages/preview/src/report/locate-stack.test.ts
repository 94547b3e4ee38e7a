import type { LocatedStack } from "@tenrec/protocol";
import { memoryFileSystem } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { PAGES_ONLY } from "../config/without-file.ts";
import { locateStack } from "./locate-stack.ts";

const MAP = JSON.stringify({ version: 3, sources: ["../src/page.ts"], names: [], mappings: "AAKI" });
const CONFIG = {
  ...PAGES_ONLY,
  assets: {
    directory: "/public",
    htmlHandling: "none",
    notFoundHandling: "none",
    runWorkerFirst: false,
  },
} as const;

const FILES = {
  "/public/plain.js": "1;",
  "/public/a b.js": "1;",
  "/public/mapped.js": "1;\n//# sourceMappingURL=maps/mapped.js.map\n",
  "/public/maps/mapped.js.map": MAP,
  "/public/inline.js": `1;\n//# sourceMappingURL=data:application/json;base64,${btoa(MAP)}`,
  "/public/gone.js": "1;\n//# sourceMappingURL=gone.map",
  "/public/odd.js": `1;\n/*# sourceMappingURL=data:application/json,{ */`,
  "/public/index.html": "<p>\n<script>\nfail();\n</script>",
  "/public/early.js": "//# sourceMappingURL=maps/mapped.js.map\n1;",
  "/secret.js": "1;",
};

test.each([
  ["Chrome", "Error: x\n    at f (/plain.js:1:7)", "f (/public/plain.js:1:7)"],
  ["Chrome, at the top", "    at /plain.js:1:7", "(/public/plain.js:1:7)"],
  ["Firefox and Safari", "f@/plain.js:1:7", "f (/public/plain.js:1:7)"],
  ["Safari, at the top", "@/plain.js:1", "(/public/plain.js:1:1)"],
  ["an escaped name", "at /a%20b.js:1:1", "(/public/a b.js:1:1)"],
  ["a query", "at /plain.js?v=1:1:1", "(/public/plain.js:1:1)"],
  ["a source map", "at g (/mapped.js:1:1)", "g (/public/src/page.ts:6:5)"],
  ["a source map in the code", "at g (/inline.js:1:1)", "g (/src/page.ts:6:5)"],
  ["a source map that is not there", "at g (/gone.js:1:3)", "g (/public/gone.js:1:3)"],
  ["a source map that is none", "at g (/odd.js:1:3)", "g (/public/odd.js:1:3)"],
  ["a comment that is not the last line", "at g (/early.js:2:1)", "g (/public/early.js:2:1)"],
  ["a page", "at /index.html:3:1", "(/public/index.html:3:1)"],
  ["a place that is no file", "at g (/api:3:4)", "g (/api:3:4)"],
])("places as %s writes them", async (_name, stack, expected) => {
  const found = await locateStack(stack, { config: CONFIG }, memoryFileSystem(FILES));
  expect(found.stack).toBe(`    at ${expected}`);
  const isFile = !expected.includes("/api");
  expect(found.at === undefined).toBe(!isFile);
});

test("shows the code of what a browser is given, and of nothing else", async () => {
  const locate = (stack: string, htmlHandling: "none" | "auto-trailing-slash" = "none"): Promise<LocatedStack> => {
    const config = { ...CONFIG, assets: { ...CONFIG.assets, htmlHandling } };
    return locateStack(
      stack,
      { config },
      memoryFileSystem({ ...FILES, "/src/page.ts": "secret", "/public/.env": "secret" }),
    );
  };
  const page = { path: "/public/index.html", line: 3, column: 1 };
  const frame = "  1  <p>\n  2  <script>\n> 3  fail();\n  4  </script>";
  expect(await locate("at /:3:1", "auto-trailing-slash")).toEqual({
    stack: expect.any(String) as string,
    at: page,
    frame,
  });
  for (const stack of ["at /mapped.js:1:1", "at /../secret.js:1:1", "at /%2e%2e/secret.js:1:1", "at /.env:1:1"]) {
    expect(await locate(stack)).not.toHaveProperty("frame");
  }
  expect(await locate("at /../secret.js:1:1")).not.toHaveProperty("at");
});

test.each([
  ["nothing", ""],
  ["text that is no stack", "a\nb\n  - exception: made up"],
  ["our own script", "at tell (/@tenrec/live:1:1)"],
  ["another site", "at f (https://example.com/a.js:1:1)"],
])("of %s nothing is left", async (_name, stack) => {
  expect(await locateStack(stack, { config: CONFIG }, memoryFileSystem(FILES))).toEqual({ stack: "" });
});

test("what a page makes up costs no time", async () => {
  const long = "//# sourceMappingURL=".repeat(150_000);
  const fs = memoryFileSystem({ "/public/long.js": long });
  const stack = Array.from({ length: 5000 }, () => `at ${"( ".repeat(2000)}(/long.js:1:1)`).join("\n");
  const found = await locateStack(`at /long.js:1:1\n${stack}`, { config: CONFIG }, fs);
  expect(found.at).toEqual({ path: "/public/long.js", line: 1, column: 1 });
  expect(found.stack.split("\n").length).toBeLessThanOrEqual(20);
});
