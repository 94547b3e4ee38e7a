import { expect, test } from "vitest";
import { type Files, inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const app = (n: number, more: object = {}): Files => ({
  "wrangler.json": wrangler(more),
  "src/index.ts": `export default { async fetch(request, env) { await env.KV?.put("n", "1"); return new Response("${n}"); } };`,
});

test("a Dynamic Worker is counted once a day and session, with the requests since the one before and the price of both", async () => {
  let now = 86_400_000 * 20_000;
  await inHost(
    async ({ open, get, loads }) => {
      const first = await open(app(1));
      for (const _ of [1, 2, 3]) await get(first, "/");
      expect(loads).toEqual([
        { session: "s1", worker: expect.stringMatching(/^[0-9a-f]{64}$/) as string, requests: 1, usd: 0.0020003 },
      ]);
      await get(await open(app(2)), "/");
      expect(loads.slice(1)).toMatchObject([{ session: "s1", requests: 3 }]);
      expect(loads[1]?.usd).toBeCloseTo(0.002 + 3 * 0.0000003, 9);
      await get(await open(app(1), "s2"), "/");
      expect(loads.slice(2)).toMatchObject([{ session: "s2", requests: 1 }]);
      now += 86_400_000;
      await get(first, "/");
      await get(first, "/");
      expect(loads).toHaveLength(4);
      expect(loads[3]?.worker).toBe(loads[0]?.worker);
    },
    { now: () => now },
  );
});

test("what keeps the data of bindings is a Worker too, and an edit needs no other one", async () => {
  await inHost(async ({ open, get, loads }) => {
    const config = { kv_namespaces: [{ binding: "KV" }] };
    await get(await open(app(1, config)), "/");
    expect(loads).toHaveLength(2);
    expect(loads.map(({ worker }) => worker)).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{64}$/)));
    await get(await open(app(2, config)), "/");
    expect(loads).toHaveLength(3);
  });
});

test("one more than the budget has is not loaded, in words that say what to do; what is loaded goes on", async () => {
  await inHost(
    async ({ open, get, reports }) => {
      const first = await open(app(1));
      expect((await get(first, "/")).text).toBe("1");
      const refused = await get(await open(app(2)), "/");
      expect(refused.status).toBe(429);
      expect(refused.text).toBe(
        "This app was not loaded\n\nBudget used up: 1 of 1 Dynamic Workers of the session. Raise the agent's budget to go on.\n",
      );
      expect((await get(first, "/")).text).toBe("1");
      expect(reports).toEqual([]);
    },
    { mostLoads: 1 },
  );
});
