import type { UsageEvent } from "@tenrec/protocol";
import type { ScriptStep } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import { type AgentFixture, withAgent } from "./with-agent.ts";
import { type ProviderUnderTest, providers } from "./with-providers.ts";

/** A source file of about 3 KB. */
function source(n: number): string {
  return Array.from(
    { length: 60 },
    (_, i) => `export const value${n}_${i} = compute(${n}, ${i}); // of a table\n`,
  ).join("");
}

async function withSession(provider: ProviderUnderTest, steps: readonly ScriptStep[]): Promise<AgentFixture> {
  const script = { model: provider.freshName(), steps };
  await provider.offer(script);
  const agent = await withAgent({
    says: [],
    env: provider.env(script),
    setup: (a) => {
      a.model = `${provider.name}/${script.model}`;
    },
  });
  for (let n = 1; n <= 30; n += 1) await agent.write(`/src/file-${n}.ts`, source(n));
  return agent;
}

async function usages(agent: AgentFixture): Promise<readonly UsageEvent[]> {
  return (await agent.events()).filter((event) => event.type === "usage");
}

function shareOf(steps: readonly UsageEvent[]): number {
  const sum = (of: (usage: UsageEvent) => number): number => steps.reduce((before, usage) => before + of(usage), 0);
  return sum((usage) => usage.cachedInputTokens) / sum((usage) => usage.inputTokens);
}

const read = (n: number): ScriptStep["say"][number] => ({ call: "read", input: { path: `src/file-${n}.ts` } });

const edit = (n: number, to: string): ScriptStep["say"][number] => {
  const line = (is: string): string => `export const value${n}_7 = ${is};`;
  const edits = [{ oldText: line(`compute(${n}, 7)`), newText: line(to) }];
  return { call: "edit", input: { path: `src/file-${n}.ts`, edits } };
};

/** A small change as models make them: look around, read, edit, look again. */
const CHANGE: readonly ScriptStep[] = [
  { say: [{ text: "First the files." }, { call: "ls", input: { path: "src" } }] },
  { say: [{ call: "grep", input: { pattern: "value3_7", path: "src" } }] },
  { say: [read(3), read(4)] },
  { say: [{ text: "The table is wrong there." }, edit(3, "table[7]")] },
  { say: [edit(4, "table[7]")] },
  { say: [{ call: "grep", input: { pattern: "table\\[7\\]", path: "src" } }] },
  { say: [{ text: "One more." }, read(5)] },
  { say: [edit(5, "table[7]")] },
  { say: [{ call: "bash", input: { command: "head -n 9 src/file-5.ts | tail -n 3" } }] },
  { say: [{ text: "Three files now use the table." }] },
];

describe.each(providers)("the prompt cache with $name", (provider) => {
  test("most of a session of ten steps is read from it", async () => {
    const agent = await withSession(provider, CHANGE);
    await agent.submit("Use the table in the files 3 to 5.");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect((await agent.events()).filter((e) => e.type === "tool-result" && e.status !== "ok")).toEqual([]);
    const steps = await usages(agent);
    expect(steps).toHaveLength(10);
    const later = shareOf(steps.slice(2));
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    const tokens = steps.map((usage) => `${usage.cachedInputTokens}/${usage.inputTokens}`).join(" ");
    console.log(
      `cached with ${provider.name}: ${percent(later)} after step 2, ${percent(shareOf(steps))} of all; ${tokens}`,
    );
    expect(later).toBeGreaterThan(0.85);
    // Each request finds all that the one before it had sent.
    for (const [n, usage] of steps.entries()) {
      if (n > 0) expect(usage.cachedInputTokens).toBeGreaterThanOrEqual(steps[n - 1]?.inputTokens ?? 0);
    }
  });

  test("a step of 25 parallel calls, and a second turn, find all of what was sent before", async () => {
    const many = Array.from({ length: 25 }, (_, n) => read(n + 1));
    const agent = await withSession(provider, [
      { say: many },
      { say: [{ text: "Read." }] },
      { say: [read(30)] },
      { say: [{ text: "Done." }] },
    ]);
    await agent.submit("Read 25 files.", "one");
    expect(await agent.settle("one")).toMatchObject({ status: "done" });
    await agent.submit("And the last one.", "two");
    expect(await agent.settle("two")).toMatchObject({ status: "done", text: "Done." });
    const steps = await usages(agent);
    expect(steps).toHaveLength(4);
    for (const [n, usage] of steps.entries()) {
      if (n > 0) expect(usage.cachedInputTokens).toBeGreaterThanOrEqual(steps[n - 1]?.inputTokens ?? 0);
    }
  });
});
