import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createServer } from "./server.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenrec-server-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Counts in a Durable Object, and stands still when asked to. */
const WORKER = `import { DurableObject } from "cloudflare:workers";
export class Counter extends DurableObject {
  async fetch() {
    const count = ((await this.ctx.storage.get("count")) ?? 0) + 1;
    await this.ctx.storage.put("count", count);
    return new Response(String(count));
  }
}
export default {
  fetch(request, { COUNTER }) {
    const { pathname } = new URL(request.url);
    if (pathname === "/still") for (;;);
    return pathname === "/count" ? COUNTER.getByName("a").fetch(request) : new Response();
  },
};`;

const CONFIG = {
  name: "still",
  main: "worker.js",
  compatibility_date: "2026-01-01",
  durable_objects: { bindings: [{ name: "COUNTER", class_name: "Counter" }] },
  migrations: [{ tag: "v1", new_sqlite_classes: ["Counter"] }],
};

test("a Worker that stands still is started again on its port, with what it had stored", async () => {
  await writeFile(join(folder, "worker.js"), WORKER);
  await writeFile(join(folder, "wrangler.jsonc"), JSON.stringify(CONFIG));
  const { promise: said, resolve: say } = Promise.withResolvers<string>();
  const server = createServer(join(folder, "log"), say);
  try {
    const config = join(folder, "wrangler.jsonc");
    const state = join(folder, "state");
    const port = await server.start({ config, state, port: 0, variables: {}, patience: 500 });
    const get = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await get("/count")).toBe("1");
    await expect(get("/still")).rejects.toThrow("fetch failed");
    expect(await said).toMatch(/stood still.*started again/);
    expect(await get("/count")).toBe("2");
  } finally {
    await server.stop();
  }
}, 60_000);
