import { expect, test } from "vitest";
import { startAppBuilder } from "../../examples/app-builder/start/with-app-builder.ts";
import { openBrowser, running } from "./with-session.ts";

test.skipIf(!running)(
  "the app builder shows the app as it becomes, where one is in it, and what goes wrong",
  { timeout: 180_000 },
  async () => {
    await using started = await startAppBuilder();
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(started.address);
    // Not in the address any more, which is shown and copied.
    await expect.poll(() => page.url()).toBe(`${started.origin}/`);
    const app = page.frameLocator("#frame");
    await app.locator("text=The first entry").waitFor({ timeout: 60_000 });
    await page.waitForSelector("#status:text-is('ready')");
    // Once more it is loaded, since the model has sent something to the app.
    await page.waitForTimeout(500);
    expect(await page.locator("#log code").allTextContents()).toEqual(["JSON.parse", "null"]);

    const frame = page.frames()[1];
    await frame?.evaluate(`location.href = "/index?from=here#end"`);
    await page.waitForSelector("#address:has-text('?from=here')");
    await frame?.evaluate("window.state = 1");
    // With the keyboard alone.
    await page.focus("#prompt-text");
    await page.keyboard.type("Make it dark");
    await page.keyboard.press("Enter");
    const seen = (): Promise<unknown> | undefined =>
      frame?.evaluate(
        "[location.search + location.hash, getComputedStyle(document.body).backgroundColor, window.state]",
      );
    await expect.poll(seen, { timeout: 20_000 }).toEqual(["?from=here#end", "rgb(29, 25, 22)", 1]);
    await page.click("#reload");
    await expect.poll(seen).toEqual(["?from=here#end", "rgb(29, 25, 22)", undefined]);

    const saved = page.waitForEvent("download");
    await page.click("#download");
    expect((await saved).suggestedFilename()).toBe("app.zip");
    await page.route("**/tree?*", (route) => route.abort());
    await page.click("#download");
    await page.waitForSelector("#problem:has-text('Nobody answers')");

    const stranger = await browser.context.newPage();
    await stranger.goto(`${started.origin}/#token=wrong&session=none`);
    await stranger.waitForSelector("#problem:has-text('Open the address')");
    expect(await stranger.locator("#send").isDisabled()).toBe(true);
  },
);
