import { expect, test } from "vitest";
import { inHost } from "../with-host.ts";

const PAGE = `<!doctype html><link rel="stylesheet" href="style.css"><script src="app.js"></script>`;
const FILES = {
  "index.html": PAGE,
  "style.css": "body { color: red; }",
  "app.js": "document.title = 'up';",
  "about.html": "about",
  "docs/index.html": "docs",
  "404.html": "nowhere",
  "data.json": "{}",
  _redirects: "/old /about 301\n",
  ".well-known/security.txt": "ask us",
  ".env": "SECRET=1",
  ".dev.vars": "SECRET=1",
  ".git/config": "url = https://token@git.test",
  "node_modules/a/index.js": "1",
};

test("a folder with an index.html is shown as it is", async () => {
  await inHost(async ({ open, get, loads, reports }) => {
    const preview = await open(FILES);
    const seen = async (path: string): Promise<unknown> => {
      const { status, text, headers } = await get(preview, path, { redirect: "manual" });
      return [status, headers.get("location") ?? text, headers.get("content-type")];
    };
    expect(await seen("/")).toEqual([200, PAGE, "text/html; charset=utf-8"]);
    expect(await seen("/style.css")).toEqual([200, FILES["style.css"], "text/css; charset=utf-8"]);
    expect(await seen("/app.js")).toEqual([200, FILES["app.js"], expect.stringContaining("javascript")]);
    expect(await seen("/about")).toEqual([200, "about", "text/html; charset=utf-8"]);
    expect(await seen("/docs/")).toEqual([200, "docs", "text/html; charset=utf-8"]);
    expect(await seen("/docs")).toEqual([307, "/docs/", null]);
    expect(await seen("/old")).toEqual([301, "/about", null]);
    expect(await seen("/.well-known/security.txt")).toEqual([200, "ask us", "text/plain; charset=utf-8"]);
    // Nothing had to be loaded, and nothing is wrong.
    expect([loads, reports]).toEqual([[], []]);
  });
});

test.each([
  "/nothing",
  "/.env",
  "/%2eenv",
  "/.dev.vars",
  "/.git/config",
  "/docs/../.env",
  "/docs%2f..%2f.env",
  "/.well-known/../.env",
  "/.well-known/.env",
  "/node_modules/a/index.js",
  "/_redirects",
])("of such a folder, %s is none of the pages", async (path) => {
  await inHost(async ({ open, get }) => {
    const preview = await open(FILES);
    // What is written in another way is led to the one way first.
    const asked = await get(preview, path, { redirect: "manual" });
    const { status, text } = asked.status === 307 ? await get(preview, asked.headers.get("location") ?? "") : asked;
    expect([status, text]).toEqual([404, "nowhere"]);
  });
});

test("a project becomes what its files say, edit by edit", async () => {
  await inHost(async ({ open, get }) => {
    const text = async (files: Readonly<Record<string, string>>): Promise<string> =>
      (await get(await open(files), "/")).text;
    const worker = {
      "wrangler.json": `{ "main": "index.js", "compatibility_date": "2026-01-31" }`,
      "index.js": `export default { fetch: () => new Response("worker") };`,
    };
    expect(await text({})).toMatch(
      /No wrangler\.jsonc.* in \/, and no index\.html\..* add an index\.html.* add a wrangler\.jsonc such as/,
    );
    expect(await text({ "index.html": "one" })).toBe("one");
    expect(await text({ "index.html": "two" })).toBe("two");
    expect(await text({ "index.html": "two", ...worker })).toBe("worker");
    expect(await text({ "index.html": "two", "wrangler.json": "{" })).toContain("not valid JSON");
    expect(await text({ "index.html": "two", "package.json": `{ "devDependencies": { "vite": "*" } }` })).toBe("two");
  });
});
