import { expect, test } from "vitest";
import { inHost, type TestHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

/** Runs with an app whose `fetch` does this, and which says `next` on another path. */
async function withApp(run: string, use: (host: TestHost, id: string) => Promise<void>, cpuMs = 60_000): Promise<void> {
  const source = `export default { async fetch(request) {
    if (request.url.endsWith("/next")) return new Response("next");
    ${run} } };`;
  await inHost(
    async (host) => {
      const preview = await host.open({ "wrangler.json": wrangler(), "src/index.ts": source });
      await use(host, preview.id);
      expect((await host.get(preview, "/next")).text).toBe("next");
    },
    { limits: { cpuMs } },
  );
}

test.each([
  ["many lines", `for (let i = 0; i < 20_000; i++) console.log("line", i);`],
  ["a long line", `console.log("x".repeat(20_000_000));`],
  ["large objects", `for (let i = 0; i < 100; i++) console.log({ text: "x".repeat(100_000) });`],
])("a console with %s is cut", async (_, run) => {
  await withApp(`${run} return new Response("ended");`, async ({ previews, reports }, id) => {
    expect(await (await previews.fetch(id, new Request("http://app/"))).text()).toBe("ended");
    // Traces come later than answers.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const told = reports.filter(({ kind }) => kind === "console");
    expect(told.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(told).length).toBeLessThan(200 * 4200);
  });
});

test("a huge answer is passed on piece by piece, and ends with the one who reads it", async () => {
  const run = `const piece = new Uint8Array(1024 * 1024); let left = 4096;
    return new Response(new ReadableStream({ type: "bytes", pull(c) { if (left-- > 0) c.enqueue(piece.slice()); else c.close(); } }));`;
  await withApp(run, async ({ previews }, id) => {
    const reader = (await previews.fetch(id, new Request("http://app/"))).body?.getReader();
    for (let n = 0; n < 8; n += 1) expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    await reader?.cancel();
  });
});

test("a socket that is flooded ends with the one who listens", async () => {
  const run = `const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    const timer = setInterval(() => { for (let i = 0; i < 1000; i++) server.send("x".repeat(1000)); }, 1);
    server.addEventListener("close", () => clearInterval(timer));
    return new Response(null, { status: 101, webSocket: client });`;
  await withApp(run, async ({ previews }, id) => {
    const { webSocket } = await previews.fetch(id, new Request("http://app/", { headers: { upgrade: "websocket" } }));
    if (!webSocket) throw new Error("no socket");
    let count = 0;
    const many = new Promise<void>((resolve) => {
      webSocket.addEventListener("message", () => (count += 1) === 5000 && resolve());
    });
    webSocket.accept();
    await many;
    expect(count).toBeGreaterThanOrEqual(5000);
    webSocket.close();
  });
});

test("a loop of sends is a loop", async () => {
  const run = `const [client, server] = Object.values(new WebSocketPair());
    server.accept(); client.accept();
    for (;;) server.send("x".repeat(100));`;
  await withApp(
    run,
    async ({ previews }, id) => {
      expect(await (await previews.fetch(id, new Request("http://app/"))).text()).toContain("EndlessLoopError");
    },
    1000,
  );
});
