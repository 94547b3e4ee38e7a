import { expect, test } from "vitest";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const config = wrangler({
  durable_objects: { bindings: [{ name: "BELL", class_name: "Bell" }] },
  migrations: [{ tag: "v1", new_sqlite_classes: ["Bell"] }],
});
const source = `import { DurableObject } from "cloudflare:workers";
export class Bell extends DurableObject {
  async set() { await this.ctx.storage.setAlarm(Date.now() - 1); return "set"; }
  async alarm() { await this.ctx.storage.put("rang", "rang"); }
  rang() { return this.ctx.storage.get("rang"); }
}
export default { async fetch(request, env) {
  const bell = env.BELL.getByName("a");
  return new Response(await (request.url.endsWith("/set") ? bell.set() : bell.rang()));
} };`;
const FILES = { "wrangler.json": config, "src/index.ts": source };

test.each([
  ["whose class is gone", { "wrangler.json": wrangler() }, Infinity],
  ["that may not be loaded", { "src/index.ts": `import "./more";\n${source}`, "src/more.ts": "export {};" }, 2],
])("an alarm of an app %s waits, and holds up no other session", async (_, changed, mostLoads) => {
  await inHost(
    async ({ previews, alarms, open, get, show }) => {
      expect((await get(await open(FILES, "s1"), "/set")).text).toBe("set");
      const other = await open(FILES, "s2");
      await get(other, "/set");
      show({ ...FILES, ...changed }, "s1");
      const now = Date.now();
      await previews.runAlarms();
      expect(alarms.at(-1)).toBeGreaterThanOrEqual(now + 60_000);
      expect((await get(other, "/")).text).toBe("rang");
    },
    { mostLoads },
  );
});
