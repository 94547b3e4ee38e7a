import { FAULTS, type Script, type ScriptPart } from "@tenrec/testkit";
import { expect, inject, test } from "vitest";
import { factsOf } from "./models-providers.ts";
import { withAgent } from "./with-agent.ts";
import { EXPECTED, type FaultName, SETUPS, tableOf, type Outcome } from "./with-fault-table.ts";
import { hastyClock } from "./with-hasty-clock.ts";
import { type ProviderUnderTest, providers } from "./with-providers.ts";

const { document, print } = inject("faultTable");
const names = Object.keys(EXPECTED) as FaultName[];

/** The same part of a script, where it is a fault for the first call only. */
function once(part: ScriptPart): ScriptPart {
  if ("error" in part) return { error: { ...part.error, times: 1 } };
  return "cut" in part || "stall" in part || "raw" in part ? { ...part, times: 1 } : part;
}

interface End {
  readonly text: string;
  readonly calls: number;
  readonly done: boolean;
}

/** How a turn ends whose model says this, and that nothing of an incomplete answer was carried out. */
async function end(provider: ProviderUnderTest, name: FaultName, say: readonly ScriptPart[]): Promise<End> {
  const script: Script = { model: provider.freshName(), steps: [{ say }, { say: [{ text: "Done." }] }] };
  await provider.offer(script);
  const agent = await withAgent({
    says: [],
    env: { ...provider.env(script), ...SETUPS[name]?.(provider) },
    // Minutes of silence in seconds, where that is the fault.
    clock: hastyClock(name.startsWith("stall") ? 200 : 20),
    setup: (a) => {
      a.model = `${provider.name}/${script.model}`;
    },
  });
  await agent.submit("go");
  const { status } = await agent.settle();
  const events = await agent.events();
  const last = events.at(-1);
  if (last?.type !== "turn-end") throw new Error(`the turn did not end after ${name}`);
  const calls = events.filter(({ type }) => type === "step-start").length;
  if (!(name in SETUPS)) expect(await provider.requests(script)).toHaveLength(calls);
  if (status !== "done") {
    expect(events.filter(({ type }) => type === "tool-call" || type === "step-end")).toEqual([]);
    await expect(agent.read("/a.txt")).rejects.toMatchObject({ code: "ENOENT" });
  }
  // One line, without a stack, a path of ours or markup.
  expect(last.text).not.toMatch(/\n|\bat .+:\d+|\.(ts|js)\b|</);
  const { key = "-", address = "-" } = factsOf(`${provider.name}/`) ?? {};
  const text = last.text.replaceAll(script.model, "…").replaceAll(`"${provider.name}/`, '"');
  const short = text.replaceAll(`${address} or AI_GATEWAY_URL, if one is set`, "ADDRESS");
  return { text: short.replaceAll(key, "KEY").replaceAll(address, "ADDRESS"), calls, done: status === "done" };
}

async function outcome(provider: ProviderUnderTest, fault: FaultName): Promise<Outcome> {
  const say = fault in FAULTS ? FAULTS[fault as keyof typeof FAULTS] : [{ text: "never said" }];
  const [always, first] = await Promise.all([
    end(provider, fault, say),
    end(provider, fault, [...say.map(once), { text: " done" }]),
  ]);
  return { provider: provider.name, fault, ...always, passes: first.done };
}

const outcomes: Outcome[] = [];

test.each(providers)("$name: every fault ends in words that say what to do", { timeout: 60_000 }, async (provider) => {
  const met = names.filter((name) => EXPECTED[name].saw[provider.name] !== null);
  // In two goes, so that those that are silent do not wait for a machine that is busy with all others.
  const half = Math.ceil(met.length / 2);
  const found = await Promise.all(met.slice(0, half).map((fault) => outcome(provider, fault)));
  found.push(...(await Promise.all(met.slice(half).map((fault) => outcome(provider, fault)))));
  outcomes.push(...found);
  for (const { fault, text, calls, done, passes } of found) {
    const { saw, ...expected } = EXPECTED[fault];
    expect.soft(text, fault).toMatch(saw[provider.name] ?? saw.all);
    const swallowed = provider.name === "workers-ai" && fault === "garbage in mid stream";
    expect.soft({ fault, calls, done, passes }).toEqual({
      fault,
      calls: expected.calls,
      done: expected.done === true || swallowed,
      passes: expected.passes === true || swallowed,
    });
  }
});

test("MODEL-FAULTS.md shows what was seen", () => {
  const table = tableOf(names, outcomes);
  if (print) console.log(`\n${table}`);
  else expect(document).toContain(table);
});
