import { expect, test } from "vitest";
import { type Files, inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

/** Versions of an app whose answers name the version of each module that took part, and what its object has counted. */
const version = (n: number): Files => ({
  "wrangler.json": wrangler({ durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] } }),
  "src/version.ts": `export const version = ${n};`,
  "src/late.ts": `export { version as late } from "./version";`,
  "src/room.ts": `import { DurableObject } from "cloudflare:workers"; import { version } from "./version";
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    export class Room extends DurableObject {
      async count(ms: number) {
        const n = (((await this.ctx.storage.get("n")) as number) ?? 0) + 1;
        await this.ctx.storage.put("n", n);
        await sleep(ms);
        return [version, n];
      }
    }`,
  "src/index.ts": `import { version } from "./version"; export { Room } from "./room";
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    export default { async fetch(request: Request, env: any) {
      const { pathname } = new URL(request.url);
      if (pathname === "/slow") { await sleep(300); return Response.json([version, (await import("./late")).late]); }
      if (pathname === "/stream") return new Response(new ReadableStream({ async start(controller) {
        for (let i = 0; i < 5; i++) { controller.enqueue(new TextEncoder().encode(version + " ")); await sleep(60); }
        controller.close(); } }));
      if (pathname === "/held") return Response.json(await env.ROOM.getByName("a").count(20_000));
      return Response.json(await env.ROOM.getByName("a").count(0));
    } };`,
});

test.each([
  ["/slow", "[1,1]"],
  ["/stream", "1 1 1 1 1 "],
])("K24 %s is answered by one version", async (path, expected) => {
  await inHost(async ({ open, get }) => {
    const first = await open(version(1));
    expect((await get(first, "/")).text).toBe("[1,1]");
    const slow = get(first, path);
    // It has begun before the new version is loaded.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await get(await open(version(2)), "/")).text).toBe("[2,2]");
    expect(await slow).toMatchObject({ status: 200, text: expected });
  });
});

test("K24 an object is taken over by a new version", async () => {
  await inHost(async ({ open, get, reports }) => {
    const first = await open(version(1));
    const held = get(first, "/held");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await get(await open(version(2)), "/")).text).toBe("[2,2]");
    const { status, text, headers } = await held;
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    expect(text).toContain("The app was changed: a new version of it took over.");
    expect(reports).toEqual([]);
  });
});

test.each([
  ["in the words of one that was taken over", "a new version of the app took over"],
  ["after it took over itself", "boom"],
])("an app that throws %s has failed", async (_, message) => {
  await inHost(async ({ open, get, reports }) => {
    const first = version(1);
    await get(await open(first), "/");
    const source = `export { Room } from "./room";
      export default { fetch: async (request, env) => {
        await env.ROOM.getByName("a").count(0);
        throw new Error(${JSON.stringify(message)});
      } };`;
    const { status } = await get(await open({ ...first, "src/index.ts": source }), "/");
    expect(status).toBe(500);
    expect(reports).toMatchObject([{ kind: "exception", detail: { message } }, { kind: "request" }]);
  });
});

test("an app that says itself to come again has failed", async () => {
  const source = `export default { fetch: () => new Response("", { status: 503, statusText: "Retry", headers: { "retry-after": "1" } }) };`;
  await inHost(async ({ open, get, reports }) => {
    expect((await get(await open({ "wrangler.json": wrangler(), "src/index.ts": source }), "/")).status).toBe(503);
    expect(reports).toMatchObject([{ kind: "request", detail: { status: 503 } }]);
  });
});
