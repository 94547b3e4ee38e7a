import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { MAINTENANCE } from "./maintenance.ts";
import { systemClock } from "./system-clock.ts";
import { last, until, withAgent } from "./with-agent.ts";

/** Maintenance comes ten minutes after the work: this clock is as far behind, so that it is due at once. */
const behind = { now: () => systemClock.now() - 10 * 60_000, sleep: systemClock.sleep };

const keysOf = async (prefix: string): Promise<string[]> =>
  (await env.TEST_BUCKET.list({ prefix })).objects.map(({ key }) => key);

test("large files move to the bucket after a turn, and tools read them there", async () => {
  const large = "line of text\n".repeat(400_000);
  const agent = await withAgent({
    says: [
      [{ call: "bash", input: { command: "echo more >> large.txt" } }],
      [{ text: "Done." }],
      [{ call: "bash", input: { command: "tail -n 2 large.txt" } }],
      [{ text: "Read." }],
    ],
    clock: behind,
    setup: (a) => {
      a.bucket = env.TEST_BUCKET;
    },
  });
  await agent.write("/large.txt", large);
  await agent.submit("go");
  await agent.settle();
  const id = await agent.inside((a) => a.ctx.id.toString());
  // The file before the turn, which the journal names, and the one after it.
  await until(async () => (await keysOf(id)).length === 2, 3000);
  expect((await agent.inside((a) => a.workspace.trees.usage())).bucket.objects).toBe(2);
  await agent.submit("read", "op2");
  await agent.settle("op2");
  const { output } = last(await agent.events(), "tool-result");
  expect(output.text).toContain("line of text\nmore");
});

test("one is planned for the work of some time, and keeps what events name", async () => {
  const agent = await withAgent({
    says: [[{ call: "write", input: { path: "a", content: "kept" } }], [{ text: "Done." }], [{ text: "Again." }]],
  });
  await agent.write("/gone", "a file that only an import had");
  await agent.write("/gone", "another");
  await agent.submit("go");
  await agent.settle();
  // Jobs can be seen by their owner only, so this looks at the table.
  const time = (): Promise<unknown> =>
    agent.inside(({ ctx }) => {
      const sql = "SELECT time FROM cf_agents_jobs WHERE id LIKE ?";
      return ctx.storage.sql.exec(sql, `%${MAINTENANCE}%`).toArray()[0]?.time;
    });
  await until(async () => (await time()) !== undefined);
  const planned = await time();
  expect(planned).toBeGreaterThan(Date.now());
  await agent.submit("more", "op2");
  await agent.settle("op2");
  expect(await time()).toBe(planned);
  const named = (): Promise<string[]> => agent.inside(({ workspace }) => [...workspace.journal.trees()]);
  // Before the first turn, and after the call.
  expect((await named()).length).toBe(2);
  // A body longer than a row is named too.
  const call = last(await agent.events(), "tool-result");
  const long = { ...call, output: { text: "x".repeat(600_000) }, tree: "long" };
  await agent.inside(({ workspace }) => workspace.journal.append("s", [long]));
  expect(await named()).toContain("long");
});
