import type { DurableEvent } from "@tenrec/protocol";
import { TreeStore } from "@tenrec/vfs";
import { Journal } from "../journal.ts";
import { MAX_ATTEMPTS } from "../loop.ts";
import { MAIN_HEAD } from "../workspace.ts";
import { illegalIn, repeated } from "./with-legal.ts";
import { tokensOf } from "./with-model.ts";
import type { People } from "./with-people.ts";
import type { World } from "./with-world.ts";

/** In so many a turn is given up. */
const MAX_DEATHS = 6;

/** How a simulation ended: what there is to judge. */
export interface Ending {
  readonly world: World;
  readonly people: People;
  /** Journals by session, read by an instance that was not there before. */
  readonly journals: ReadonlyMap<string, readonly DurableEvent[]>;
  /** False when it did not come to rest. */
  readonly isQuiet: boolean;
}

/** What is wrong, one sentence each. */
export type Invariant = (ending: Ending) => readonly string[] | Promise<readonly string[]>;

type Of<T extends DurableEvent["type"]> = Extract<DurableEvent, { type: T }>;

function eventsOf<T extends DurableEvent["type"]>(events: Iterable<DurableEvent>, type: T): Of<T>[] {
  return [...events].filter((event): event is Of<T> => event.type === type);
}

function perSession(
  { journals }: Ending,
  judge: (events: readonly DurableEvent[], session: string) => string[],
): string[] {
  return [...journals].flatMap(([session, events]) => judge(events, session).map((text) => `${session}: ${text}`));
}

/** I1: no acknowledged prompt is lost, none is there twice, and nothing durable disappears. */
function noneLost(ending: Ending): string[] {
  const { people, world } = ending;
  const inputs = new Map([...ending.journals].map(([id, events]) => [id, eventsOf(events, "input")]));
  const lost = people.prompts.flatMap(({ session, operationId, isAcknowledged }) => {
    const times = inputs.get(session)?.filter((input) => input.operationId === operationId).length ?? 0;
    if (times > 1) return [`${operationId} was accepted ${times} times`];
    return isAcknowledged && times === 0 ? [`${operationId} was acknowledged and is lost`] : [];
  });
  const unheard = people.prompts
    .filter((prompt) => !prompt.isAcknowledged)
    .map((p) => `${p.operationId} is never heard`);
  const there = [...ending.journals].flatMap(([id, events]) => events.map(({ seq }) => `${id} ${seq}`));
  const gone = world.durable.filter((name) => !there.includes(name)).map((name) => `event ${name} is gone`);
  return [...lost, ...unheard, ...gone];
}

/** I2: every call has one result, and every question one answer. */
function oneResult(ending: Ending): string[] {
  return perSession(ending, (events) => {
    const calls = eventsOf(events, "tool-call").map((e) => e.toolCallId);
    const results = eventsOf(events, "tool-result").map((e) => e.toolCallId);
    const answers = eventsOf(events, "approval-answer").map((e) => e.approvalId);
    return [
      ...repeated(results).map((id) => `${id} has two results`),
      ...repeated(answers).map((id) => `question ${id} has two answers`),
      ...repeated(calls).map((id) => `${id} is called twice`),
      ...calls.filter((id) => !results.includes(id)).map((id) => `${id} has no result`),
      ...results.filter((id) => !calls.includes(id)).map((id) => `${id} has a result and no call`),
    ];
  }).concat(ending.people.violations.filter((text) => text.startsWith("I2: ")));
}

/** I3: every provider takes the conversation. */
function legal(ending: Ending): string[] {
  return perSession(ending, illegalIn);
}

/** I4: the tree is what the journal says that was written, and every content is there. */
async function treeOfJournal({ world, journals }: Ending): Promise<string[]> {
  const trees = new TreeStore(world.storage, { now: () => 0 });
  const expected = new Map<string, string>();
  for (const name of world.durable) {
    const [session = "", seq = ""] = name.split(" ");
    const event = journals.get(session)?.[Number(seq) - 1];
    if (event?.type !== "file-change") continue;
    if (event.after === undefined) expected.delete(event.path);
    else expected.set(event.path, event.after);
  }
  const files = trees.manifest(trees.head(MAIN_HEAD)).filter((entry) => entry.kind === "file");
  const actual = new Map(files.map((entry) => [entry.path, "hash" in entry ? String(entry.hash) : ""]));
  const wrong = [...new Set([...expected.keys(), ...actual.keys()])].filter((p) => expected.get(p) !== actual.get(p));
  const overlay = trees.overlay(trees.head(MAIN_HEAD));
  const reads = await Promise.allSettled(files.map(({ path }) => overlay.readFile(path)));
  return [
    ...wrong.map((path) => `${path} is not what the journal says`),
    ...reads.flatMap((read) => (read.status === "rejected" ? [String(read.reason)] : [])),
  ];
}

/** I5: a death costs one model call of a session at most. */
function fewCalls(ending: Ending): string[] {
  const { world } = ending;
  return perSession(ending, (events, session) => {
    const own = world.calls.filter((call) => call.session === session && call.state !== "failed");
    const billed = own.filter((call) => call.state !== "aborted").length;
    const used = eventsOf(events, "step-end").length;
    const faults = world.kills + world.refused;
    return billed - used > faults ? [`${billed} calls for ${used} steps and ${faults} faults`] : [];
  });
}

/** I6: an effect outside happens once at most, never without what allows it, and only in an instance that has claimed the journal. */
function oneEffect({ world, journals }: Ending): string[] {
  const events = [...journals.values()].flat();
  const granted = new Set(eventsOf(events, "approval-answer").flatMap((e) => (e.approved ? [e.toolCallId] : [])));
  const recorded = new Set(eventsOf(events, "effect").map((e) => e.toolCallId));
  const calls = new Map(eventsOf(events, "tool-call").map((e) => [e.toolCallId, e.toolName]));
  const names = { publish: granted, nothing: new Set<string>() } as Record<string, ReadonlySet<string>>;
  return [
    ...world.violations.filter((text) => text.startsWith("I6: ")),
    ...repeated(world.effects).map((id) => `${id} had its effect twice`),
    ...world.effects.filter((id) => !calls.has(id)).map((id) => `${id} ran before its step was committed`),
    ...world.effects.filter((id) => !recorded.has(id)).map((id) => `${id} had an effect that is not recorded`),
    ...world.effects
      .filter((id) => names[calls.get(id) ?? ""]?.has(id) === false)
      .map((id) => `${id} (${calls.get(id)}) had an effect that nobody allowed`),
  ];
}

/** I7: everything comes to an end, and each turn ends once. */
function oneEnd(ending: Ending): string[] {
  if (!ending.isQuiet) return ["it does not come to rest"];
  const late = ending.world.violations.filter((text) => text.startsWith("I7: "));
  return late.concat(
    perSession(ending, (events, session) => {
      const journal = new Journal(ending.world.storage, () => 0);
      const state = journal.state(session);
      const starts = eventsOf(events, "turn-start").map((e) => e.turn);
      const ends = eventsOf(events, "turn-end").map((e) => e.turn);
      return [
        ...(state.turn || state.queue.length > 0
          ? [`turn ${state.turn?.turn} and ${state.queue.length} prompts are left`]
          : []),
        ...repeated(ends).map((turn) => `turn ${turn} ended twice`),
        ...starts.filter((turn) => !ends.includes(turn)).map((turn) => `turn ${turn} has no end`),
        ...tooLong(events),
        ...trapped(ending.world),
      ];
    }),
  );
}

/** A model call that only fails is given up, and a call that is only repeated is stopped. */
function tooLong(events: readonly DurableEvent[]): string[] {
  const wrong: string[] = [];
  const made = new Map<string, number>();
  for (const { turn, step } of eventsOf(events, "step-start")) {
    const name = `step ${turn}.${step}`;
    made.set(name, (made.get(name) ?? 0) + 1);
  }
  for (const [name, times] of made) if (times > MAX_ATTEMPTS) wrong.push(`${name} was called ${times} times`);
  const results = eventsOf(events, "tool-result").filter((e) => e.status === "ok");
  const ran = new Set(results.map((e) => e.toolCallId));
  let same = { key: "", nth: 0 };
  for (const call of eventsOf(events, "tool-call")) {
    const key = `${call.turn} ${call.toolName} ${JSON.stringify(call.input)}`;
    same = { key, nth: key === same.key ? same.nth + 1 : 1 };
    if (same.nth >= 3 && ran.has(call.toolCallId))
      wrong.push(`${call.toolCallId} ran as the same call the ${same.nth}. time`);
  }
  return wrong;
}

/** A turn that dies again and again without getting on is given up. */
function trapped({ traps }: World): string[] {
  const times = new Map<string, number>();
  for (const id of traps) times.set(id, (times.get(id) ?? 0) + 1);
  return [...times]
    .filter(([, n]) => n > MAX_DEATHS)
    .map(([id, n]) => `${id} was run ${n} times, and never to its end`);
}

/** I8: a client that comes back with its last `seq` sees each event once, in order, and text without a gap or a repeat. */
function seenOnce({ people, journals }: Ending): string[] {
  return people.watchers.flatMap(({ session, seen, violations }) => {
    const events = journals.get(session) ?? [];
    const same = seen.length === events.length && seen.every((event, i) => event.type === events[i]?.type);
    return [...violations, ...(same ? [] : [`a watcher of ${session} saw ${seen.length} of ${events.length} events`])];
  });
}

/** I9: what the provider billed for a step stands in the journal once, and says when it was billed again. */
function ledger(ending: Ending): string[] {
  const { calls } = ending.world;
  return perSession(ending, (events, session) => {
    let attempt = 0;
    const wrong: string[] = [];
    const steps = eventsOf(events, "step-end").length;
    const exact = eventsOf(events, "usage").filter((usage) => !usage.estimated);
    if (exact.length !== steps) wrong.push(`${exact.length} exact usages for ${steps} steps`);
    for (const event of events) {
      if (event.type === "step-start") attempt = event.attempt;
      if (event.type !== "usage") continue;
      const isAgain = event.rebilled ?? false;
      if (isAgain !== attempt > 1) wrong.push(`usage ${event.seq} of attempt ${attempt} is rebilled: ${isAgain}`);
      const call = calls.find(({ n }) => tokensOf(n) === event.inputTokens);
      const isKnown = event.estimated || (call?.session === session && call.state === "completed");
      if (!isKnown) wrong.push(`usage ${event.seq} is of no call that was completed`);
    }
    return [...wrong, ...repeated(exact.map((e) => e.inputTokens)).map((n) => `call ${n / 1000} counts twice`)];
  });
}

/** I10: nothing is left running, waiting or scheduled. */
function nothingLeft({ world, isQuiet }: Ending): string[] {
  if (!isQuiet) return [];
  return [
    ...world.jobs.names().map((name) => `job ${name} is left`),
    ...world.waits().map((w) => `a wait for ${w} is left`),
  ];
}

/** What must hold whatever happens, by the name that it is reported under. */
export const INVARIANTS: { readonly [name: string]: Invariant } = {
  I1: noneLost,
  I2: oneResult,
  I3: legal,
  I4: treeOfJournal,
  I5: fewCalls,
  I6: oneEffect,
  I7: oneEnd,
  I8: seenOnce,
  I9: ledger,
  I10: nothingLeft,
};
