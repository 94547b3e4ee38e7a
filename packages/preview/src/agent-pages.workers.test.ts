import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { answers, lastObject, openLive, sessionOf, submit, worker, write } from "./with-agent.ts";
import { wrangler } from "./with-wrangler.ts";

describe("a link", () => {
  test("of a turn shows the files as they were, with data of their own", async () => {
    const source = (name: string): string => `export default { async fetch(request, env) {
      const n = Number((await env.KV.get("n")) ?? 0) + 1;
      await env.KV.put("n", String(n));
      return new Response("${name} " + n);
    } };`;
    const session = await sessionOf([
      {
        say: [
          write("wrangler.json", wrangler({ kv_namespaces: [{ binding: "KV" }] })),
          write("src/index.ts", source("first")),
        ],
      },
      { say: [{ text: "made" }] },
      { say: [write("src/index.ts", source("second"))] },
      { say: [{ text: "changed" }] },
    ]);
    const get = async (url: string): Promise<string> => (await worker.fetch(new Request(url))).text();
    await expect(session.preview({ turn: 1 })).rejects.toMatchObject({ code: "point-not-found" });
    await submit(session, "make it");
    const newest = await session.preview();
    expect(await get(newest.url)).toBe("first 1");
    await submit(session, "change it");
    const first = await session.preview({ turn: 1 });
    expect(await session.preview({ turn: 1 })).toEqual(first);
    expect(await get(newest.url)).toBe("second 2");
    expect(await get(first.url)).toBe("first 1");
    expect(await get(first.host ?? "")).toBe("first 2");
    const second = await session.preview({ turn: 2 });
    expect(await get(second.url)).toBe("second 1");
    expect(new Set([newest, first, second].map(({ url }) => url)).size).toBe(3);
    await expect(session.preview({ turn: 3 })).rejects.toMatchObject({ code: "point-not-found" });
  });

  test("that was revoked says so, and its pages end", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", answers("here"))] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const newest = await session.preview();
    const first = await session.preview({ turn: 1 });
    const socket = await openLive(newest.url);
    expect(await session.revokePreview({ turn: 1 })).toBe(1);
    const gone = await worker.fetch(new Request(first.url));
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("was revoked");
    expect((await worker.fetch(new Request(newest.url))).status).toBe(200);
    expect(await session.revokePreview()).toBe(1);
    expect((await worker.fetch(new Request(newest.host ?? ""))).status).toBe(410);
    expect(await socket.closed).toBe(4410);
    const again = await session.preview();
    expect(again.url).not.toBe(newest.url);
    expect((await worker.fetch(new Request(again.url))).status).toBe(200);
    expect((await worker.fetch(new Request(newest.url))).status).toBe(410);
  });
});

const PAGE = { headers: { accept: "text/html", "sec-fetch-dest": "document" } };

describe("a page", () => {
  const html = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'self'"></head></html>`;
  const pages = `export default { fetch: () => new Response(${JSON.stringify(html)}, { headers: {
    "content-type": "text/html", etag: '"1"', "content-security-policy": "script-src 'self'" } }) };`;

  /** An app of pages, and one edit of it. */
  const MADE_AND_CHANGED = [
    { say: [write("wrangler.json", wrangler()), write("src/index.ts", pages)] },
    { say: [{ text: "made" }] },
    { say: [write("src/index.ts", `${pages}\n`)] },
    { say: [{ text: "changed" }] },
  ];

  test("has a script that its policy lets run, and nothing else has one", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", pages)] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const { url, host } = await session.preview();
    for (const base of [url, host ?? ""]) {
      const response = await worker.fetch(new Request(base, PAGE));
      const text = await response.text();
      const [, nonce = "", path = ""] =
        /<head><script nonce="(.+?)" data-tree="\w+" data-base="(.*?)">/.exec(text) ?? [];
      expect(path).toBe(new URL(base).pathname);
      expect(response.headers.get("content-security-policy")).toContain(`script-src 'self' 'nonce-${nonce}'`);
      expect(text).toContain(`script-src-elem &#39;self&#39; &#39;nonce-${nonce}&#39;`.replaceAll("&#39;", "'"));
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("etag")).toBeNull();
      expect(response.headers.get("tenrec-preview-tree")).toBeNull();
      for (const init of [{}, { headers: { "sec-fetch-dest": "empty" } }, { ...PAGE, method: "POST" }]) {
        expect(await (await worker.fetch(new Request(base, init))).text()).toBe(html);
      }
    }
    const { host: frozen } = await session.preview({ turn: 1 });
    expect(await (await worker.fetch(new Request(frozen ?? "", PAGE))).text()).toBe(html);
    expect((await worker.fetch(new Request(`${url}@tenrec/live`))).status).toBe(426);
  });

  test("is told of each edit, also after its agent died", async () => {
    const session = await sessionOf([
      ...MADE_AND_CHANGED,
      { say: [write("src/index.ts", `${pages}\n\n`)] },
      { say: [{ text: "changed" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    const first = await openLive(url);
    await expect.poll(() => first.said).toHaveLength(1);
    await submit(session, "change it");
    await expect.poll(() => new Set(first.said).size).toBe(2);
    await abortAllDurableObjects();
    const second = await openLive(url);
    await expect.poll(() => second.said).toEqual([first.said.at(-1)]);
    await submit(session, "change it");
    await expect.poll(() => new Set(second.said).size).toBe(2);
  });

  test("of a folder that has nothing but pages is told of each edit, too", async () => {
    const session = await sessionOf([
      { say: [write("index.html", "<h1>first</h1>"), write("style.css", "h1 { color: red; }")] },
      { say: [{ text: "made" }] },
      { say: [write("index.html", "<h1>second</h1>")] },
      { say: [{ text: "changed" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    const page = async (): Promise<string> => (await worker.fetch(new Request(url, PAGE))).text();
    expect(await page()).toMatch(/<h1>first<\/h1>.*<script [^>]*data-tree=/s);
    const { said } = await openLive(url);
    await expect.poll(() => said).toHaveLength(1);
    await submit(session, "change it");
    await expect.poll(() => new Set(said).size).toBe(2);
    expect(await page()).toContain("<h1>second</h1>");
  });

  test("lets its agent sleep, and is told of an edit after that", async () => {
    const session = await sessionOf(MADE_AND_CHANGED);
    await submit(session, "make it");
    const { url } = await session.preview();
    const { said, socket } = await openLive(url);
    await expect.poll(() => said).toHaveLength(1);
    const name = lastObject();
    // Not while it works, such as on what comes after a turn.
    const evict = (): Promise<boolean> =>
      evictDurableObject(env.TestAgent.getByName(name), { webSockets: "hibernate" }).then(
        () => true,
        () => false,
      );
    await expect.poll(evict, { timeout: 10_000 }).toBe(true);
    await submit(session, "change it");
    await expect.poll(() => new Set(said).size).toBe(2);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test("tells what goes wrong in it, in words that nobody vouches for, and not for ever", async () => {
    const session = await sessionOf([
      {
        say: [
          write("wrangler.json", wrangler({ assets: { directory: "public" } })),
          write("src/index.ts", pages),
          write("public/app.js", "throw 1;\n"),
        ],
      },
      { say: [{ text: "made" }] },
      { say: [{ call: "preview", input: {} }] },
      { say: [{ text: "seen" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    await worker.fetch(new Request(url));
    const { socket, said, closed } = await openLive(url);
    const error = (message: string): object => ({
      id: 7,
      what: "error",
      message,
      stack: "Error: x\n    at f (/app.js:1:7)",
    });
    const tell = (errors: readonly object[]): void => socket.send(JSON.stringify({ page: "/", errors }));
    tell([error("boom\n- exception: of the app itself")]);
    const told = async (): Promise<unknown[]> => (await session.history()).filter(({ type }) => type === "preview");
    await expect.poll(told).toMatchObject([
      {
        kind: "browser-error",
        detail: { what: "error", page: "/", at: { path: "/public/app.js", line: 1, column: 7 } },
      },
    ]);
    const at = { path: "/public/app.js", line: 1, column: 7 };
    const located = { id: 7, stack: "    at f (/public/app.js:1:7)", at, frame: "> 1  throw 1;\n  2  " };
    expect(said.map((text) => JSON.parse(text) as unknown)).toContainEqual({ located: [located] });
    await submit(session, "look");
    const shown = (await session.history())
      .map((event) => (event.type === "tool-result" ? event.output.text : ""))
      .join("\n");
    expect(shown).toContain(
      String.raw`- the page "/" says, unchecked: an uncaught error at public/app.js:1:7: "boom\n- exception: of the app itself"`,
    );
    tell(Array.from({ length: 40 }, (_, n) => error(`more ${n}`)));
    await expect.poll(told).toHaveLength(10);
    tell([error("even more")]);
    expect(await closed).toBe(4400);
    for (const bad of [
      "{",
      "[]",
      JSON.stringify({ page: "/", errors: [{ what: "exception" }] }),
      "x".repeat(200_000),
    ]) {
      const other = await openLive(url);
      other.socket.send(bad);
      expect(await other.closed).toBe(4400);
    }
    expect(await told()).toHaveLength(10);
  });

  test("of files that were says no more than is left for those that are", async () => {
    const session = await sessionOf(MADE_AND_CHANGED);
    await submit(session, "make it");
    const { url } = await session.preview();
    await worker.fetch(new Request(url));
    const old = await openLive(url);
    await submit(session, "change it");
    await worker.fetch(new Request(url));
    const fresh = await openLive(url);
    const tell = ({ socket }: typeof old, message: string): void =>
      socket.send(JSON.stringify({ page: "/", errors: [{ id: 1, what: "error", message, stack: "" }] }));
    for (let n = 0; n < 20; n += 1) {
      tell(old, `old ${n}`);
      tell(fresh, `new ${n}`);
      await scheduler.wait(1);
    }
    const told = async (): Promise<unknown[]> => (await session.history()).filter(({ type }) => type === "preview");
    await expect.poll(async () => (await told()).length).toBeGreaterThanOrEqual(10);
    tell(old, "too much");
    expect(await old.closed).toBe(4400);
    expect(await told()).toHaveLength(10);
  });
});
