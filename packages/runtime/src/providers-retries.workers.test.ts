import type { ScriptPart } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import { type AgentFixture, last, until, withAgent } from "./with-agent.ts";
import { type HastyClock, hastyClock } from "./with-hasty-clock.ts";
import { type ProviderUnderTest, providers } from "./with-providers.ts";

const overHttp = providers.filter(({ name }) => name !== "workers-ai");

interface Fixture {
  readonly agent: AgentFixture;
  readonly clock: HastyClock;
  calls(): Promise<number>;
}

async function withFault(provider: ProviderUnderTest, say: readonly ScriptPart[], real = false): Promise<Fixture> {
  const clock = hastyClock();
  const script = { model: provider.freshName(), steps: [{ say: [...say, { text: "Done." }] }] };
  await provider.offer(script);
  const agent = await withAgent({
    says: [],
    env: provider.env(script),
    ...(real ? {} : { clock }),
    setup: (a) => {
      a.model = `${provider.name}/${script.model}`;
    },
  });
  return { agent, clock, calls: async () => (await provider.requests(script)).length };
}

/** Faults that all calls meet, or as many as `times`. */
function refused(status: number, more: object = {}): ScriptPart {
  return { error: { status, message: "Not now.", ...more } };
}

describe.each(overHttp)("$name", (provider) => {
  test("retry-after in seconds is what is waited", async () => {
    const { agent, clock, calls } = await withFault(provider, [refused(429, { retryAfter: 7, times: 2 })]);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(clock.waits).toEqual([7000, 7000]);
    expect(await calls()).toBe(3);
  });

  test("retry-after as a date is what is waited", async () => {
    const date = { retryAfter: 30, retryAfterDate: true, times: 1 };
    const { agent, clock } = await withFault(provider, [refused(503, date)]);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(clock.waits).toHaveLength(1);
    // A date has whole seconds.
    expect(clock.waits[0]).toBeGreaterThan(25_000);
    expect(clock.waits[0]).toBeLessThanOrEqual(30_000);
  });

  test("more than a minute is for a person to decide", async () => {
    const { agent, clock, calls } = await withFault(provider, [refused(429, { retryAfter: 3600 })]);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      message: expect.stringContaining("It asks to wait 60 minutes."),
    });
    expect(clock.waits).toEqual([]);
    expect(await calls()).toBe(1);
  });
});

test.each(providers)("$name: three attempts, waits that double and differ", async (provider) => {
  const fixtures = await Promise.all(Array.from({ length: 6 }, () => withFault(provider, [refused(500)])));
  for (const { agent } of fixtures) await agent.submit("go");
  for (const { agent, clock, calls } of fixtures) {
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      message: expect.stringMatching(/Tried 3 times\.$/),
    });
    expect(await calls()).toBe(3);
    const [first, second, ...more] = clock.waits;
    expect(more).toEqual([]);
    expect(first).toBeGreaterThanOrEqual(500);
    expect(first).toBeLessThan(1500);
    expect(second).toBeGreaterThanOrEqual(1000);
    expect(second).toBeLessThan(3000);
    const attempts = (await agent.events()).flatMap((event) => (event.type === "step-start" ? [event.attempt] : []));
    expect(attempts).toEqual([1, 2, 3]);
  }
  expect(new Set(fixtures.map(({ clock }) => clock.waits[0])).size).toBeGreaterThan(1);
});

test.each(providers)("$name: nothing is tried again after the first word", async (provider) => {
  const late: ScriptPart[] = [{ text: "one two three" }, refused(529, { times: 1 })];
  const { agent, clock, calls } = await withFault(provider, late);
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "stopped", message: expect.stringContaining("cut off") });
  expect(clock.waits).toEqual([]);
  expect(await calls()).toBe(1);
  // It was billed all the same; OpenAI says so itself, for the others it is estimated.
  const usage = last(await agent.events(), "usage");
  expect(usage.inputTokens).toBeGreaterThan(100);
  if (provider.name !== "openai") expect(usage.estimated).toBe(true);
});

test("a wait between tries ends when a person stops the turn", async () => {
  const [provider] = overHttp;
  if (!provider) throw new Error("no provider");
  const { agent, calls } = await withFault(provider, [refused(429, { retryAfter: 50 })], true);
  await agent.submit("go");
  await until(async () => (await agent.events()).some(({ type }) => type === "error"));
  await agent.inside(({ sessions }) => sessions.abort("s"));
  expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
  expect(await calls()).toBe(1);
});
