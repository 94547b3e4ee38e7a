import { connect } from "@tenrec/runtime/client";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ATTACKER, INSIDE } from "./with-attacker.ts";
import { AGENT, agentUrl, MODES, openBrowser, running, sessionWith, type TestBrowser } from "./with-session.ts";

/** What became of code that a page ran: its value as JSON, or that it was refused. */
async function outcome(page: Page, code: string): Promise<string> {
  const run = `Promise.resolve().then(() => (${code})).then((value) => JSON.stringify(value) ?? "undefined", (error) => "refused: " + error.name)`;
  return page.evaluate<string>(run);
}

/** A page of the agent's own host, with a cookie and a token that it keeps there. */
async function agentPage({ context }: TestBrowser): Promise<Page> {
  await context.addCookies([
    { name: "session", value: "of-the-agent", domain: "agent.shared.localhost", path: "/" },
    { name: "wide", value: "of-the-agent", domain: ".shared.localhost", path: "/" },
  ]);
  const page = await context.newPage();
  await page.goto(`${AGENT}/nothing`);
  await page.evaluate(`localStorage.setItem("token", "test-token")`);
  return page;
}

describe.skipIf(!running).each(MODES)("an attacker at a host of the kind %s", (mode) => {
  test("has neither cookies nor storage nor service workers of the agent", async () => {
    const { urls } = await sessionWith(ATTACKER);
    await using browser = await openBrowser();
    await agentPage(browser);
    const page = await browser.context.newPage();
    await page.goto(urls[mode]);
    const seen = await outcome(page, `fetch("headers", { credentials: "include" }).then((answer) => answer.text())`);
    expect(seen).not.toContain("of-the-agent");
    expect(await outcome(page, "document.cookie")).not.toContain("session=of-the-agent");
    expect(await outcome(page, `localStorage.getItem("token")`)).not.toContain("test-token");
    expect(await outcome(page, "indexedDB.databases().then((all) => all.length)")).toMatch(/^(0|refused: .*)$/);
    await outcome(page, `navigator.serviceWorker.register("sw.js", { scope: "/" })`);
    const socket = `new Promise((done) => { new WebSocket(new URL("ws", location.href).href.replace("http", "ws")).onmessage = ({ data }) => done(data); })`;
    expect(await outcome(page, socket)).toBe(`"hello"`);
    await page.goto(mode === "shared" ? new URL("/clear", urls.shared).href : `${urls[mode]}clear`);
    const agent = await browser.context.newPage();
    await agent.goto(`${AGENT}/nothing`);
    expect(await outcome(agent, `localStorage.getItem("token")`)).toBe(`"test-token"`);
    expect(await outcome(agent, "document.cookie")).toContain("session=of-the-agent");
    expect(await outcome(agent, "navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe("0");
    const cookies = await browser.context.cookies(`${AGENT}/nothing`);
    expect(cookies.find(({ name }) => name === "tenrec")).toBeUndefined();
  });

  test("in a frame, reaches nothing of the page around it and cannot take it elsewhere", async () => {
    const { urls } = await sessionWith(ATTACKER);
    await using browser = await openBrowser();
    const around = await agentPage(browser);
    await around.setContent(
      `<h1>The agent</h1><iframe src="${urls[mode]}" style="width: 600px; height: 300px"></iframe>`,
    );
    const frame = around.frames()[1];
    await frame?.waitForSelector("text=Harmless");
    const tryIt = (code: string): Promise<string> => outcome(frame as unknown as Page, code);
    for (const code of [
      "parent.document.title",
      "parent.localStorage.length",
      "top.location.href",
      "frameElement.id",
    ]) {
      expect(await tryIt(code)).toMatch(/^refused: /);
    }
    await frame?.click("h1");
    for (const code of [
      `top.location = "/stolen"`,
      `parent.location.replace("about:blank")`,
      `open("about:blank", "_top")`,
      `document.body.append(Object.assign(document.createElement("a"), { href: "/x", target: "_top", id: "a" })), a.click()`,
    ]) {
      await tryIt(code);
    }
    await around.waitForTimeout(300);
    expect(around.url()).toBe(`${AGENT}/nothing`);
    expect(await around.textContent("h1")).toBe("The agent");
    const heard = around.evaluate<string>(
      "new Promise((resolve) => addEventListener('message', ({ origin }) => resolve(origin), { once: true }))",
    );
    await tryIt(`parent.postMessage("I am the agent", "*")`);
    expect(await heard).not.toBe(AGENT);
  });

  test("that was opened in a window, has no hold of who opened it", async () => {
    const { urls } = await sessionWith(ATTACKER);
    await using browser = await openBrowser();
    const opener = await agentPage(browser);
    const opened = browser.context.waitForEvent("page");
    await opener.evaluate(`void open(${JSON.stringify(urls[mode])})`);
    const popup = await opened;
    await popup.waitForSelector("text=Harmless");
    for (const code of [`opener.location = "/stolen"`, `opener.location.replace("/stolen")`])
      await outcome(popup, code);
    expect(await outcome(popup, "opener.document.title")).toMatch(/^refused: /);
    await opener.waitForTimeout(300);
    expect(opener.url()).toBe(`${AGENT}/nothing`);
    // And whom it opens, it cannot read.
    await popup.evaluate(`globalThis.third = open("${AGENT}/nothing")`);
    await expect.poll(() => outcome(popup, "third.document.title")).toMatch(/^refused: /);
    expect(await outcome(popup, `third.localStorage.getItem("token")`)).toMatch(/^refused: /);
  });

  test("gets nothing out of the agent's API, with its token or without", async () => {
    const { urls, session } = await sessionWith(ATTACKER);
    await using browser = await openBrowser();
    await agentPage(browser);
    const page = await browser.context.newPage();
    await page.goto(urls[mode]);
    const workspace = `stolen-${mode}`;
    const base = `${AGENT}/agents/coder/${workspace}`;
    const ask = (path: string, init: object): Promise<string> =>
      outcome(
        page,
        `fetch("${path}", ${JSON.stringify(init)}).then(async (answer) => [answer.type, answer.status, await answer.text()])`,
      );
    const authorization = "Bearer test-token";
    for (const init of [
      { method: "POST", body: "{}" },
      { method: "POST", body: "{}", credentials: "include" },
      { method: "POST", body: "{}", headers: { authorization } },
    ]) {
      expect(await ask(`${base}/api/sessions.create`, init)).toMatch(/^refused: TypeError/);
      expect(await ask(`${base}/ticket`, init)).toMatch(/^refused: TypeError/);
    }
    expect(await ask(`${base}/api/sessions.create`, { method: "POST", body: "{}", mode: "no-cors" })).toBe(
      `["opaque",0,""]`,
    );
    const socket = `new Promise((done) => { const s = new WebSocket("${base.replace("http", "ws")}/watch?session=${session.id}");
      s.onopen = () => done("open"); s.onerror = () => done("failed"); })`;
    expect(await outcome(page, socket)).toBe(`"failed"`);
    expect(await connect(agentUrl(workspace), { token: "test-token" }).sessions.list()).toEqual([]);
  });

  test("reaches no address from inside, such as those of metadata", async () => {
    const { urls } = await sessionWith(ATTACKER);
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(urls[mode]);
    for (const address of INSIDE) {
      const url = encodeURIComponent(address.replace("PORT", `${running?.port}`));
      const answer = await outcome(page, `fetch("fetch?url=${url}").then((answer) => answer.json())`);
      expect({ address, answer }).toEqual({ address, answer: expect.stringMatching(/^{"failed":/) as string });
    }
  });

  test("sees nothing that another session's app keeps", async () => {
    const [first, second] = [await sessionWith(ATTACKER), await sessionWith(ATTACKER)];
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(first.urls[mode]);
    await outcome(
      page,
      `(localStorage.setItem("secret", "1"), caches.open("secret"), new Promise((done) => { indexedDB.open("secret").onsuccess = done; }))`,
    );
    await page.goto(second.urls[mode]);
    await page.waitForSelector("text=Harmless");
    expect(await outcome(page, `localStorage.getItem("secret")`)).toMatch(/^(null|refused: .*)$/);
    expect(await outcome(page, "caches.keys().then((all) => all.length)")).toMatch(/^(0|refused: .*)$/);
    expect(await outcome(page, "indexedDB.databases().then((all) => all.length)")).toMatch(/^(0|refused: .*)$/);
    const own = first.urls.own.replace(/\/$/, "");
    if (mode === "own")
      expect(await outcome(page, `fetch("${own}/headers").then((answer) => answer.text())`)).toMatch(/^refused/);
  });
});

describe.skipIf(!running)("a link", () => {
  test("that is revoked ends the page that is open", async () => {
    const { session, urls } = await sessionWith(ATTACKER);
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.goto(urls.own);
    await page.waitForSelector("text=Harmless");
    await session.revokePreview();
    await page.waitForSelector("text=was revoked");
    expect((await page.reload())?.status()).toBe(410);
  });
});
