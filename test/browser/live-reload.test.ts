import type { WebSocketRoute } from "playwright-core";
import { describe, expect, test } from "vitest";
import { MODES, openBrowser, running, sessionWith, wrangler } from "./with-session.ts";

const page = (text: string, policy = ""): string => `export default {
  fetch: () => new Response("<!doctype html><title>x</title><h1>${text}</h1>", {
    headers: { "content-type": "text/html", ...(${JSON.stringify(policy)} && { "content-security-policy": ${JSON.stringify(policy)} }) },
  }),
};`;

describe.skipIf(!running).each(MODES)("a page at a host of the kind %s", (mode) => {
  test.each([
    ["", ""],
    ["with a policy that lets nothing run", "default-src 'none'"],
    [
      "with a policy of hashes",
      "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; connect-src https://x.test",
    ],
  ])("gets the new code after an edit, without a click %s", async (_name, policy) => {
    const { urls, write } = await sessionWith({ "wrangler.json": wrangler(), "src/index.js": page("first", policy) });
    await using browser = await openBrowser();
    const tab = await browser.context.newPage();
    await tab.goto(urls[mode]);
    expect(await tab.textContent("h1")).toBe("first");
    await write({ "src/index.js": page("second", policy) });
    await tab.waitForSelector("text=second");
    await write({ "src/index.js": page("third", policy) });
    await tab.waitForSelector("text=third");
    expect(await tab.locator("script").count()).toBe(0);
  });

  test("shows what keeps the app from being built, until nothing does", async () => {
    const { urls, write } = await sessionWith({ "wrangler.json": wrangler(), "src/index.js": page("good") });
    await using browser = await openBrowser();
    const tab = await browser.context.newPage();
    await tab.goto(urls[mode]);
    await write({ "src/index.js": `import "./gone.js";\n${page("bad")}` });
    await tab.waitForSelector("text=This app cannot be built");
    expect(await tab.textContent("body")).toContain("src/index.js:1");
    if (process.env["TENREC_SCREENSHOTS"])
      await tab.screenshot({ path: `${process.env["TENREC_SCREENSHOTS"]}/broken-${mode}.png` });
    await write({ "src/index.js": `${page("ok")}\nthrow new Error("at the start");` });
    await tab.waitForSelector("text=at the start");
    await write({ "src/index.js": page("good again") });
    await tab.waitForSelector("text=good again");
  });
});

test.skipIf(!running)("a page whose connection was lost comes back, and has missed nothing", async () => {
  const { urls, write } = await sessionWith({ "wrangler.json": wrangler(), "src/index.js": page("first") });
  await using browser = await openBrowser();
  const tab = await browser.context.newPage();
  const sockets: WebSocketRoute[] = [];
  await tab.routeWebSocket(/@tenrec\/live$/, (socket) => {
    sockets.push(socket);
    socket.connectToServer();
  });
  await tab.goto(urls.own);
  await expect.poll(() => sockets).toHaveLength(1);
  await sockets[0]?.close({ code: 3001 });
  await write({ "src/index.js": page("second") });
  await tab.waitForSelector("text=second");
  expect(sockets.length).toBeGreaterThan(1);
});

test.skipIf(!running)("a page keeps its state when only style sheets change that it links to", async () => {
  const css = (color: string): string => `h1 { color: ${color}; }`;
  const { urls, write } = await sessionWith({
    "wrangler.json": wrangler({ main: undefined, assets: { directory: "public" } }),
    "public/index.html": `<!doctype html><link rel="stylesheet" href="style.css"><h1>A page</h1>`,
    "public/style.css": css("rgb(1, 1, 1)"),
  });
  await using browser = await openBrowser();
  const tab = await browser.context.newPage();
  await tab.goto(urls.own);
  const state = (): Promise<unknown> =>
    tab.evaluate("[getComputedStyle(document.querySelector('h1')).color, window.state]");
  await tab.evaluate("window.state = 1");
  await write({ "public/style.css": css("rgb(2, 2, 2)") });
  await expect.poll(state).toEqual(["rgb(2, 2, 2)", 1]);
  await write({ "public/style.css": css("rgb(3, 3, 3)") });
  await expect.poll(state).toEqual(["rgb(3, 3, 3)", 1]);
  expect(await tab.locator("link").count()).toBe(1);
  // One that it does not link to may be anywhere in it.
  await write({ "public/other.css": "" });
  await expect.poll(state).toEqual(["rgb(3, 3, 3)", undefined]);
});

test.skipIf(!running)("ten edits in a second end with the last one, at the same place of the page", async () => {
  const tall = (text: string): object => ({
    "src/index.js": page(`${text}</h1><p style=height:3000px><h1 id=end>`),
  });
  const { urls, write } = await sessionWith({ "wrangler.json": wrangler(), ...(tall("edit 0") as object) });
  await using browser = await openBrowser();
  const tab = await browser.context.newPage();
  await tab.goto(`${urls.own}a/b?c=1#end`);
  await tab.waitForSelector("text=edit 0");
  await tab.evaluate("scrollTo(0, 1234)");
  for (let n = 1; n <= 10; n += 1) await write(tall(n === 5 ? "<bad" : `edit ${n}.`) as never);
  await tab.waitForSelector("text=edit 10.");
  expect(tab.url()).toBe(`${urls.own}a/b?c=1#end`);
  await expect.poll(() => tab.evaluate("scrollY")).toBe(1234);
});
