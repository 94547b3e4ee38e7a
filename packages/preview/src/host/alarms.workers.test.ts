import { expect, test } from "vitest";
import { inHost, type TestHost } from "../with-host.ts";
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

/** Objects whose alarms do what they are told to; each request calls a method of the one that its path names. */
const BELLS = `import { DurableObject } from "cloudflare:workers";
let ringing = 0, most = 0;
export class Bell extends DurableObject {
  async set(ms, how) { await this.ctx.storage.put("how", how); await this.ctx.storage.setAlarm(Date.now() + ms); return "set"; }
  async alarm(info) {
    const how = await this.ctx.storage.get("how");
    most = Math.max(most, ++ringing);
    try {
      await this.ctx.storage.put("rang", [...await this.rang(), info.retryCount]);
      if (how === "hang") await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (how === "throw") throw new Error("no");
      if (how === "again") { await this.ctx.storage.put("how", ""); await this.ctx.storage.setAlarm(Date.now()); }
      if (how.startsWith("after ")) while ((await this.env.BELL.getByName(how.slice(6)).rang()).length === 0) await scheduler.wait(5);
      await scheduler.wait(20);
      await this.ctx.storage.put("done", true);
    } finally { ringing--; }
  }
  async rang() { return (await this.ctx.storage.get("rang")) ?? []; }
  async done() { return (await this.ctx.storage.get("done")) ?? false; }
  most() { return most; }
  when() { return this.ctx.storage.getAlarm(); }
}
export default { async fetch(request, env) {
  const [name, method, ...args] = JSON.parse(decodeURIComponent(new URL(request.url).pathname.slice(1)));
  return Response.json(await env.BELL.getByName(name)[method](...args));
} };`;
const BELL_FILES = { "wrangler.json": config, "src/index.ts": BELLS };

type Ask = (session: string, ...call: readonly unknown[]) => Promise<unknown>;

/** Runs a test with an app of bells in each session that it asks. */
async function withBells(
  run: (ask: Ask, host: TestHost) => Promise<void>,
  options: Parameters<typeof inHost>[1] = {},
): Promise<void> {
  const limits = { answerMs: 3000 };
  await inHost(
    async (host) => {
      const ask: Ask = async (session, ...call) => {
        const path = `/${encodeURIComponent(JSON.stringify(call))}`;
        return JSON.parse((await host.get(await host.open(BELL_FILES, session), path)).text) as unknown;
      };
      await run(ask, host);
    },
    { limits, ...options },
  );
}

test("an alarm that waits for another one is done, since both ring", async () => {
  await withBells(async (ask, { previews, alarms }) => {
    await ask("s1", "first", "set", -10, "after second");
    await ask("s1", "second", "set", -5, "");
    await previews.runAlarms();
    expect(alarms.at(-1)).toBeUndefined();
    expect([await ask("s1", "first", "rang"), await ask("s1", "second", "rang")]).toEqual([[0], [0]]);
  });
});

test.each(["due already", "due later", "set later"])(
  "an alarm that hangs keeps none of another session waiting that is %s",
  async (when) => {
    await withBells(async (ask, { previews }) => {
      await ask("s1", "first", "set", -10, "hang");
      if (when !== "set later") await ask("s2", "second", "set", when === "due later" ? 20 : -5, "");
      const round = previews.runAlarms();
      while (((await ask("s1", "first", "rang")) as unknown[]).length === 0) await scheduler.wait(5);
      if (when === "set later") {
        await ask("s2", "second", "set", -5, "");
        void previews.runAlarms();
      }
      while (!(await ask("s2", "second", "done"))) await scheduler.wait(5);
      // Null while it rings; once it has failed, it is to ring again.
      expect(await ask("s1", "first", "when")).toBeNull();
      await round;
      expect(await ask("s1", "first", "when")).toEqual(expect.any(Number));
    });
  },
);

test("few ring at a time, those of one session fewer, and all ring in the end", async () => {
  await withBells(async (ask, { previews, alarms }) => {
    const names = Array.from({ length: 12 }, (_, index) => `bell ${index}`);
    for (const name of names) await ask("s1", name, "set", -5, "");
    await previews.runAlarms();
    for (const name of names) expect(await ask("s1", name, "rang")).toEqual([0]);
    expect(await ask("s1", "any", "most")).toBe(4);
    expect(alarms.at(-1)).toBeUndefined();
  });
});

test("an alarm that sets itself anew rings again, once it is over", async () => {
  await withBells(async (ask, { previews, alarms }) => {
    await ask("s1", "bell", "set", -5, "again");
    await previews.runAlarms();
    expect(await ask("s1", "bell", "rang")).toEqual([0, 0]);
    expect(await ask("s1", "bell", "most")).toBe(1);
    expect(alarms.at(-1)).toBeUndefined();
  });
});

test("an alarm that fails rings six times more, each time after twice as long", async () => {
  let now = 1_000_000;
  const waited: number[] = [];
  await withBells(
    async (ask, { previews, alarms }) => {
      await ask("s1", "bell", "set", -Date.now(), "throw");
      for (let next: number | undefined = now; next !== undefined; next = alarms.at(-1)) {
        waited.push(next - now);
        now = next;
        await previews.runAlarms();
      }
      expect(waited).toEqual([0, 2000, 4000, 8000, 16_000, 32_000, 64_000]);
      expect(await ask("s1", "bell", "rang")).toEqual([0, 1, 2, 3, 4, 5, 6]);
    },
    { now: () => now },
  );
});

test("an alarm that rings while its session is deleted is gone for good", async () => {
  await withBells(async (ask, { previews, alarms }) => {
    await ask("s1", "bell", "set", -5, "hang");
    const round = previews.runAlarms();
    while (((await ask("s1", "bell", "rang")) as unknown[]).length === 0) await scheduler.wait(5);
    // Should the object die now, it is woken.
    await ask("s1", "other", "set", 3_600_000, "");
    expect(alarms.at(-1)).toBeLessThan(Date.now() + 60_000);
    await previews.remove("s1");
    await round;
    expect(alarms.at(-1)).toBeUndefined();
  });
});
