import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP, FEATURES, hasFeature } from "./with-features.ts";
import { promised } from "./with-promises.ts";
import { MODES, openBrowser, running, secureSessionWith } from "./with-session.ts";

const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";
const before = process.env[VARIABLE];
beforeAll(() => void (process.env[VARIABLE] = "0"));
afterAll(() => {
  if (before === undefined) delete process.env[VARIABLE];
  else process.env[VARIABLE] = before;
});

/** Addresses of all that a page asks for from now on, and what the browser finds wrong with them. */
function traffic(page: Page): { readonly protocols: Set<string>; readonly complaints: string[] } {
  const protocols = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => protocols.add(new URL(request.url()).protocol));
  page.on("websocket", (socket) => protocols.add(new URL(socket.url()).protocol));
  page.on("console", (message) => {
    if (/mixed content|insecure|not secure/i.test(message.text())) complaints.push(message.text());
  });
  return { protocols, complaints };
}

describe.skipIf(!running).each(MODES)("over HTTPS, at a host of the kind %s", (mode) => {
  test("there is what there is without, nothing leaves it, and edits arrive", async () => {
    const { urls, write } = await secureSessionWith(APP);
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const { protocols, complaints } = traffic(page);
    await page.goto(urls[mode]);
    const away = `fetch("away").then(({ url, redirected }) => redirected && new URL(url).protocol)`;
    expect(await page.evaluate(away)).toBe("https:");
    expect(await page.evaluate(`fetch("api").then((answer) => answer.json()).then(({ protocol }) => protocol)`)).toBe(
      "https:",
    );
    const found: Record<string, string> = {};
    for (const feature of Object.keys(FEATURES)) found[feature] = (await hasFeature(page, feature)) ? "yes" : "no";
    expect(found).toEqual(promised(mode));
    for (const cookie of await browser.context.cookies()) expect(cookie).toMatchObject({ secure: true });

    await page.goto(urls[mode]);
    await page.waitForSelector("text=An app");
    await write({
      "src/page.html": "<h1>Edited</h1><script>setTimeout(() => { throw new Error('shown'); });</script>",
    });
    await page.waitForSelector("text=Edited");
    await page.waitForSelector("tenrec-errors");
    expect([...protocols].toSorted()).toEqual(["https:", "wss:"]);
    expect(complaints).toEqual([]);
  });
});
