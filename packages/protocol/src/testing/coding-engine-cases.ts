import type { CodingEngine, EngineHost, EngineTurn } from "../engine.ts";
import type { DeltaEvent, DurableEventBody } from "../events.ts";
import type { FileSystem } from "../file-system.ts";
import { check, within } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";

/** An engine, an empty tree for it, and a prompt for each purpose. */
export interface CodingEngineSubject {
  readonly engine: CodingEngine;
  readonly fs: FileSystem;
  readonly prompts: {
    /** Makes it write `made` to `/made.txt` by a tool call and then answer with some text. */
    readonly writes: string;
    /** Makes it work for at least ten seconds unless it is stopped. */
    readonly hangs: string;
  };
}

type Event = DurableEventBody | DeltaEvent;

const TURN = 7;

function start(
  { engine, fs }: CodingEngineSubject,
  prompt: string,
  signal: AbortSignal = new AbortController().signal,
): AsyncIterable<Event> {
  const host: EngineHost = { fs, gate: { require: () => {} }, signal, commit: async () => "0".repeat(64) };
  const input = [{ type: "text", text: prompt }] as const;
  const turn: EngineTurn = { session: "case", turn: TURN, input, model: "case/model" };
  return engine.run(turn, host);
}

async function finish(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Ends a turn of work with `stop`, and checks that the engine ends too, by returning or by throwing the reason. */
async function checkStops(run: Promise<unknown>, reason: Error): Promise<void> {
  const outcome = await within(
    8000,
    run.then(
      () => reason,
      (error: unknown) => error,
    ),
    "a stopped engine to end",
  );
  check(outcome === reason, "it to return or to throw the signal's own reason");
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "boolean" || typeof value === "string") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isJson);
}

type Run = (subject: CodingEngineSubject) => Promise<void>;

const CASES: Readonly<Record<string, Run>> = {
  "it has a name": async ({ engine }) => check(engine.name !== "", "a name"),
  "what it writes is in the tree": async (subject) => {
    await finish(start(subject, subject.prompts.writes));
    const isMade = (await subject.fs.exists("/made.txt")) && (await subject.fs.readFile("/made.txt")) === "made";
    check(isMade, "the file that the prompt asks for");
  },
  "it leaves the start and the end of the turn to the host": async (subject) => {
    const types = (await finish(start(subject, subject.prompts.writes))).map((event) => event.type);
    check(!types.includes("turn-start") && !types.includes("turn-end"), "neither turn-start nor turn-end");
  },
  "its events are plain data without a stamp, and belong to the turn": async (subject) => {
    for (const event of await finish(start(subject, subject.prompts.writes))) {
      check(isJson(event), `${event.type} to survive JSON`);
      check(!("seq" in event) && !("at" in event), `${event.type} without seq and at, which the host adds`);
      if ("turn" in event) check(event.turn === TURN, `${event.type} to carry the number of the turn`);
    }
  },
  "every tool result answers one call before it": async (subject) => {
    const open = new Set<string>();
    for (const event of await finish(start(subject, subject.prompts.writes))) {
      if (event.type === "tool-call") open.add(event.toolCallId);
      if (event.type !== "tool-result") continue;
      check(open.delete(event.toolCallId), `the result of ${event.toolCallId} to follow its call, once`);
    }
    check(open.size === 0, "no call without a result");
  },
  "the last text is the answer": async (subject) => {
    const steps = (await finish(start(subject, subject.prompts.writes))).filter((event) => event.type === "step-end");
    const last = steps.at(-1)?.content.findLast((part) => part.type === "text");
    check(last !== undefined && last.text !== "", "a last step with text");
  },
  "a stop ends it": async (subject) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const run = finish(start(subject, subject.prompts.hangs, stop.signal));
    setTimeout(() => stop.abort(reason), 50);
    await checkStops(run, reason);
  },
  "a stop before the start does nothing": async (subject) => {
    const reason = new Error("before");
    await checkStops(finish(start(subject, subject.prompts.writes, AbortSignal.abort(reason))), reason);
    check(!(await subject.fs.exists("/made.txt")), "nothing to be written");
  },
  "resume, where it is offered, knows no session that never ran": async ({ engine }) => {
    check((await engine.resume?.("never-ran")) === undefined, "undefined");
  },
};

export const codingEngineCases: readonly ContractCase<CodingEngineSubject>[] = Object.entries(CASES).map(
  ([name, run]) => ({
    group: "CodingEngine",
    name,
    run: async (make) => {
      await using subject = await make();
      await run(subject);
    },
  }),
);
