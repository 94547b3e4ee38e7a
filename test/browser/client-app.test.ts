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
      "an error that is logged elsewhere, as frameworks do",
      `const made = new Error("made");\nconst log = (error) => console.error(error);\nlog(made);`,
      { what: "console", message: "Error: made", at: { path: "/public/app.js", line: 1 } },
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
    [
      "a top-level await of JSON that is none",
      `async function load() {\n  return (await fetch("/app.js.map?")).json();\n}\nawait (await fetch("/")).json();`,
      {
        what: "error",
        message: /^Uncaught SyntaxError: Unexpected token '<'/,
        at: { path: "/public/app.js", line: 4 },
      },
      "module",
    ],
    [
      "the same in the page itself",
      "1",
      {
        what: "error",
        message: /^Uncaught SyntaxError: Unexpected token '<'/,
        at: { path: "/public/index.html", line: 3 },
      },
      "module",
      `\n<script type="module">\n(await (await fetch("/")).json()).length;</script>`,
    ],
    [
      "what is thrown and no error",
      "throw { code: 7 };",
      { what: "error", message: 'Uncaught {"code":7}', at: { path: "/public/app.js", line: 1 } },
    ],
  ])("is told: %s", async (_name, code, expected, type = "text/javascript", more = "") => {
    // One segment: column 1 of line 1 is column 5 of line 6 of the source.
    const map = { version: 3, sources: ["../src/page.ts"], names: [], mappings: "AAKI" };
    const { session, urls } = await sessionWith({
      "wrangler.json": wrangler({ assets: { directory: "public" }, main: undefined }),
      "public/index.html": `<!doctype html><body><h1>A page</h1><script type="${type}" src="/app.js"></script>${more}</body>`,
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

  test("is told of classic scripts of a page without an origin, which may import", async () => {
    const { session, urls } = await sessionWith({
      "wrangler.json": wrangler({ assets: { directory: "public" }, main: undefined }),
      "public/index.html": `<!doctype html><script src="app.js"></script>`,
      "public/app.js": `import("./b.js");\nthrow new Error("first");`,
      "public/b.js": `throw new Error("second");`,
    });
    await using browser = await openBrowser();
    await (await browser.context.newPage()).goto(urls.path);
    await expect
      .poll(() => told(session), { timeout: 10_000 })
      .toMatchObject([
        { detail: { message: "Uncaught Error: first", at: { path: "/public/app.js", line: 2 } } },
        { detail: { message: "Error: second", at: { path: "/public/b.js", line: 1 } } },
      ]);
  });

  test("is shown over the page, with its place and code, until it is closed or mended", async () => {
    const { urls, write } = await sessionWith({
      ...REACT,
      "index.html": `${REACT["index.html"]}<script>const secret = 1;\nsetTimeout(() => { throw new Error("in the page"); });</script>`,
      "src/main.tsx": `${REACT["src/main.tsx"]}const fail = () => { throw new RangeError("in a module"); };\nsetTimeout(fail);\nconsole.error("a note");`,
    });
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 400, height: 700 });
    const seen = (): Promise<string> => page.locator("tenrec-errors section").allTextContents().then(String);
    await page.goto(urls.own);
    await expect.poll(seen).toContain("in the page");
    await expect.poll(seen).toContain("in a module");
    for (const part of ["src/main.tsx:5:28", "index.html:3:26", "> 5  const fail"])
      await expect.poll(seen).toContain(part);
    expect(await page.locator("tenrec-errors section").count()).toBe(2);
    if (process.env["TENREC_SCREENSHOTS"])
      await page.screenshot({ path: `${process.env["TENREC_SCREENSHOTS"]}/overlay.png` });
    const select = `getComputedStyle(document.querySelector("tenrec-errors")).userSelect`;
    expect(await page.evaluate(select)).toBe("text");
    await page.keyboard.press("Escape");
    expect(await page.locator("tenrec-errors").count()).toBe(0);
    await page.reload();
    await expect.poll(() => page.locator("tenrec-errors").count()).toBe(1);
    await write({ "index.html": REACT["index.html"], "src/main.tsx": REACT["src/main.tsx"] });
    await expect.poll(() => page.locator("tenrec-errors").count()).toBe(0);
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
