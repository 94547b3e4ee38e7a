import { expect, test } from "vitest";
import { type Files, inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const config = wrangler({
  main: "src/index.js",
  durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] },
});

/** A version of an app that does this at `/`, and at `/n` says what `n` has become. */
function app(run: string, version = 0): Files {
  const source = `import { DurableObject } from "cloudflare:workers";
export class Room extends DurableObject { fetch() { return new Promise(() => {}); } }
let n = 0;
const held = [];
export default { async fetch(request, env, ctx) {
  if (request.url.endsWith("/n")) return new Response("n" + n);
${run}
  return new Response("answer ${version}"); } };`;
  return { "wrangler.json": config, "src/index.js": source };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.each([
  ["a timer", `setInterval(() => n++, 5);`],
  ["a timer that makes timers", `const again = () => { n++; setTimeout(again, 5); }; again();`],
  [
    "a promise that goes on",
    `const go = async () => { for (;;) { n++; await new Promise((r) => setTimeout(r, 5)); } }; void go();`,
  ],
])("%s ends with the request that it was made in", async (_, run) => {
  await inHost(async ({ open, get }) => {
    const preview = await open(app(run));
    expect((await get(preview, "/")).text).toBe("answer 0");
    await pause(100);
    const first = (await get(preview, "/n")).text;
    await pause(200);
    expect((await get(preview, "/n")).text).toBe(first);
  });
});

test("versions that hold memory and wait for ever are let go, and each is paid for once", async () => {
  const run = `held.push(new Uint8Array(8 * 1024 * 1024));
    ctx.waitUntil(new Promise(() => {}));
    void env.ROOM.getByName("a").fetch(request).catch(() => {});
    setInterval(() => n++, 50);`;
  await inHost(async ({ open, get, loads, previews }) => {
    const opened = [];
    for (let version = 0; version < 14; version += 1) {
      const preview = await open(app(run, version));
      opened.push(preview);
      expect((await get(preview, "/")).text).toBe(`answer ${version}`);
    }
    const [first] = opened;
    if (!first) throw new Error("none was opened");
    // It was let go, and comes back when it is asked for, in an isolate that has counted nothing.
    expect((await get(first, "/n")).text).toBe("n0");
    expect(loads).toHaveLength(14);
    await previews.remove("s1");
    expect((await previews.fetch(first.id, new Request("http://app/"))).status).toBe(404);
  });
}, 60_000);

test("sockets that nobody closes keep nobody else waiting", async () => {
  const run = `const [client, server] = Object.values(new WebSocketPair()); server.accept(); held.push(server);
    return new Response(null, { status: 101, webSocket: client });`;
  await inHost(async ({ open, get, previews }) => {
    const preview = await open(app(run));
    for (let count = 0; count < 50; count += 1) {
      const request = new Request("http://app/", { headers: { upgrade: "websocket" } });
      const { webSocket } = await previews.fetch(preview.id, request);
      webSocket?.accept();
    }
    expect((await get(preview, "/n")).text).toBe("n0");
    expect((await get(await open(app("", 2)), "/")).text).toBe("answer 2");
  });
});
