import type { DurableEvent } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";
import { describe, expect, test } from "vitest";
import { REACT } from "./with-react.ts";
import { MODES, openBrowser, running, sessionWith, wrangler } from "./with-session.ts";

async function told(session: SessionClient): Promise<DurableEvent[]> {
  return (await session.history()).filter((event) => event.type === "preview" && event.kind === "browser-error");
}

describe.skipIf(!running).each(MODES)("a React app at a host of the kind %s", (mode) => {
  test("works, loads again after an edit, and says where it failed", async () => {
    const { session, urls, write } = await sessionWith(REACT);
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(urls[mode]);
    await page.waitForSelector("text=First version");
    await page.click("button");
    await page.waitForSelector("text=clicked 1 times");
    await page.click("button");
    await page.waitForSelector("text=clicked 2 times");
    await page.click("button");
    await expect
      .poll(() => told(session), { timeout: 10_000 })
      .toMatchObject([
        {
          detail: {
            what: "error",
            page: "/",
            message: "Uncaught Error: clicked too often",
            at: { path: "/src/App.tsx", line: 7 },
          },
        },
      ]);
    await write({ "src/App.tsx": REACT["src/App.tsx"].replace("First", "Second") });
    await page.waitForSelector("text=Second version");
    await page.waitForSelector("text=clicked 0 times");
    const folder = process.env["TENREC_SCREENSHOTS"];
    if (folder) await page.screenshot({ path: `${folder}/react-${mode}.png` });
  });
});

describe.skipIf(!running)("what goes wrong in a page", () => {
  test.each([
    [
      "an error at the start",
      `\n  throw new TypeError("no start");`,
      { what: "error", message: "Uncaught TypeError: no start", at: { path: "/public/app.js", line: 2, column: 9 } },
    ],
    [
      "code that is none",
      `let a = ;`,
      { what: "error", message: /SyntaxError/, at: { path: "/public/app.js", line: 1 } },
    ],
    [
      "a rejection",
      `async function f() { throw new Error("later"); }\nf();`,
      { what: "rejection", message: "Error: later", at: { path: "/public/app.js", line: 1 } },
    ],
    [
      "console.error",
      `console.error("%s is wrong:", "that", { a: 1 }, new Error("why"));`,
      { what: "console", message: `that is wrong: {"a":1} Error: why`, at: { path: "/public/app.js", line: 1 } },
    ],
    [
      "a file that does not load",
      `document.body.append(Object.assign(new Image(), { src: "/gone.png" }));`,
      { what: "resource", message: "<img> could not load /gone.png" },
    ],
    [
      "code that was bundled, by its source map",
      `throw Error("x");\n//# sourceMappingURL=app.js.map`,
      { what: "error", at: { path: "/src/page.ts", line: 6, column: 5 } },
    ],
  ])("is told: %s", async (_name, code, expected) => {
    // One segment: column 1 of line 1 is column 5 of line 6 of the source.
    const map = { version: 3, sources: ["../src/page.ts"], names: [], mappings: "AAKI" };
    const { session, urls } = await sessionWith({
      "wrangler.json": wrangler({ assets: { directory: "public" }, main: undefined }),
      "public/index.html": `<!doctype html><body><h1>A page</h1><script src="/app.js"></script></body>`,
      "public/app.js": code,
      "public/app.js.map": map,
    });
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(urls.own);
    await expect.poll(() => told(session), { timeout: 10_000 }).toHaveLength(1);
    const [event] = await told(session);
    const { message, ...rest } = expected as { message?: string | RegExp };
    expect(event).toMatchObject({ detail: { ...rest, message: expect.stringMatching(message ?? "") as string } });
  });

  test("over and over is told so often and no more", async () => {
    const { session, urls } = await sessionWith({
      "wrangler.json": wrangler({ assets: { directory: "public" }, main: undefined }),
      "public/index.html": `<script>setInterval(() => console.error("again", performance.now()), 5);</script>`,
    });
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    let sent = 0;
    page.on("websocket", (socket) => socket.on("framesent", () => (sent += 1)));
    await page.goto(urls.own);
    await page.waitForTimeout(1000);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(20);
    expect(await told(session)).toHaveLength(10);
  });
});
