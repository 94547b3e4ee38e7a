import { memoryFileSystem } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import type { AssetsConfig } from "../config/project-config.ts";
import { answersNotFound, assetIfAny, serveAsset } from "./serve-asset.ts";

const FS = memoryFileSystem({
  "/secret.txt": "secret",
  "/public/index.html": "home",
  "/public/page.html": "page",
  "/public/404.html": "none",
  "/public/a & b.html": "a and b",
  "/public/deep/404.html": "none below",
  "/public/_headers": "/*\n  X-All: 1\n/page\n  X-Page: :splat\n",
  "/public/_redirects":
    "/old /page 301\n/to/* /:splat/x\n/shown /page 200\n/lost /nowhere 200\n/out https://other.test/a?b#c",
});
const ASSETS: AssetsConfig = {
  directory: "/public",
  htmlHandling: "auto-trailing-slash",
  notFoundHandling: "none",
  runWorkerFirst: false,
};

/** `told` is where it leads, or its body. */
async function check(assets: AssetsConfig, request: string, status: number, told = ""): Promise<void> {
  const [method = "GET", url = ""] = request.split(" ");
  const response = await serveAsset(FS, assets, new Request(`http://app.test${url}`, { method }));
  expect([response.status, response.headers.get("location") ?? (await response.text())]).toEqual([status, told]);
}

describe("a request", () => {
  test.each<[request: string, status: number, told?: string]>([
    ["GET /", 200, "home"],
    ["HEAD /", 200],
    ["GET /page", 200, "page"],
    ["GET /page.html?q=1", 307, "/page?q=1"],
    ["GET /a%20&%20b", 307, "/a%20%26%20b"],
    ["GET /a%20%26%20b", 200, "a and b"],
    ["GET //page", 307, "/page"],
    ["GET /%E0%A4%A", 404],
    ["GET /page%00", 404],
    ["GET /../secret.txt", 404],
    ["GET /%2e%2e%2fsecret.txt", 404],
    ["GET /_headers", 404],
    ["POST /page", 405],
    ["POST /nothing", 404],
    ["GET /old?q", 301, "/page?q"],
    ["POST /old", 301, "/page"],
    ["GET /to//page/", 302, "/page/x"],
    ["GET /shown", 200, "page"],
    ["GET /lost", 404],
    ["GET /out?q", 302, "https://other.test/a?b#c"],
  ])("%s: %i %s", async (request, status, told) => {
    await check(ASSETS, request, status, told);
  });
});

describe("where nothing is", () => {
  test.each<[AssetsConfig["notFoundHandling"], request: string, status: number, told?: string]>([
    ["404-page", "GET /nothing", 404, "none"],
    ["404-page", "GET /deep/er/nothing", 404, "none below"],
    ["404-page", "GET /nothing//x", 307, "/nothing/x"],
    ["404-page", "GET /%E0%A4%A", 307, "/%25E0%25A4%25A"],
    ["404-page", "POST /nothing", 405],
    ["single-page-application", "GET /nothing", 200, "home"],
    ["single-page-application", "GET /deep/nothing", 200, "home"],
  ])("with %s, %s: %i %s", async (notFoundHandling, request, status, told) => {
    await check({ ...ASSETS, notFoundHandling }, request, status, told);
  });
});

test("headers are on all that assets answer, also on redirects", async () => {
  for (const path of ["/page", "/page.html", "/old", "/nothing"]) {
    const { headers } = await serveAsset(FS, ASSETS, new Request(`http://app.test${path}`));
    expect(headers.get("x-all")).toBe("1");
  }
});

test("what is known already is not sent again", async () => {
  const first = await serveAsset(FS, ASSETS, new Request("http://app.test/page"));
  const tag = first.headers.get("etag") ?? "";
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const headers = { "if-none-match": known };
    expect((await serveAsset(FS, ASSETS, new Request("http://app.test/page", { headers }))).status).toBe(304);
  }
  const part = await serveAsset(FS, ASSETS, new Request("http://app.test/page", { headers: { range: "bytes=0-1" } }));
  expect([part.status, part.headers.has("cache-control")]).toEqual([200, false]);
});

test.each<[path: string, status: number | undefined]>([
  ["/page", 200],
  ["/nothing", undefined],
  ["/lost", 404],
])("before a Worker, %s is answered with %s", async (path, status) => {
  expect((await assetIfAny(FS, ASSETS, new Request(`http://app.test${path}`)))?.status).toBe(status);
});

test.each<[runWorkerFirst: boolean | string[], date: string, flags: string[], mode: string, expected: boolean]>([
  [false, "2025-04-01", [], "navigate", true],
  [false, "2025-04-01", [], "cors", false],
  [false, "2025-03-31", [], "navigate", false],
  [false, "2025-03-31", ["assets_navigation_prefers_asset_serving"], "navigate", true],
  [false, "2026-01-01", ["assets_navigation_has_no_effect"], "navigate", false],
  [["/api/*"], "2024-01-01", [], "cors", true],
])(
  "run_worker_first %j, %s %j, %s: assets answer where nothing is: %s",
  (runWorkerFirst, date, flags, mode, expected) => {
    const config = { compatibilityDate: date, compatibilityFlags: flags };
    const request = new Request("http://app.test/", { headers: { "x-mode": mode } });
    // A script may not set the real one.
    const asked = { headers: { get: () => request.headers.get("x-mode") } } as unknown as Request;
    expect(answersNotFound({ ...ASSETS, runWorkerFirst }, asked, config)).toBe(expected);
  },
);
