import { describe, expect, test } from "vitest";
import { APP, FEATURES, hasFeature } from "./with-features.ts";
import { PROMISED, promised } from "./with-promises.ts";
import { type Files, MODES, openBrowser, running, sessionWith, wrangler } from "./with-session.ts";

test("the README promises what is tested here", () => {
  expect([...PROMISED.keys()]).toEqual(expect.arrayContaining(Object.keys(FEATURES)));
});

describe.skipIf(!running).each(MODES)("at a host of the kind %s", (mode) => {
  test("every feature works that the README says does, and no other", async () => {
    const { urls } = await sessionWith(APP);
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(urls[mode]);
    const found: Record<string, string> = {};
    for (const feature of Object.keys(FEATURES)) found[feature] = (await hasFeature(page, feature)) ? "yes" : "no";
    expect(found).toEqual(promised(mode));
  });

  test("two previews are open at a time where the README says so", async () => {
    const page = (name: string): Files => ({
      "wrangler.json": wrangler(),
      "src/index.js": `export default { fetch: () => new Response("<h1>${name}</h1>", { headers: { "content-type": "text/html" } }) };`,
    });
    const [first, second] = [await sessionWith(page("first")), await sessionWith(page("second"))];
    await using browser = await openBrowser();
    const [one, two] = [await browser.context.newPage(), await browser.context.newPage()];
    await one.goto(first.urls[mode]);
    await two.goto(second.urls[mode]);
    expect(await two.textContent("h1")).toBe("second");
    await one.reload();
    const isSideBySide = (await one.textContent("h1")) === "first" ? "yes" : "no";
    expect(PROMISED.get("several previews side by side in a browser")?.[MODES.indexOf(mode)]).toBe(isSideBySide);
  });

  test("what a Durable Object stores outlives an edit, and a reload", async () => {
    const { urls, write } = await sessionWith(APP);
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(urls[mode]);
    const count = (): Promise<string> => page.evaluate(`fetch("count").then((answer) => answer.text())`);
    expect(await count()).toBe("1");
    const source = APP["src/index.js"];
    await write({ "src/index.js": source.replace("+ 1; await", "+ 10; await"), "src/page.html": "<h1>Edited</h1>" });
    await page.waitForSelector("text=Edited");
    expect(await count()).toBe("11");
  });
});
