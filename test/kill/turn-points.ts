import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromLines } from "../../packages/runtime/src/golden/with-reading.ts";
import type { TurnGate } from "../../packages/runtime/src/kills/with-gate.ts";
import type { TurnAsk } from "../../packages/runtime/kill.worker.ts";

/** A moment of a turn at which workerd is killed. */
export interface TurnPoint extends Pick<TurnGate, "at" | "when"> {
  readonly name: string;
  readonly scenario: string;
  /** How often workerd is killed there; default once. */
  readonly times?: number;
  /**
   * Nobody was told that the turn goes on, or a person is to answer: it ends only once a client has come back. Up to the first
   * call of the model, a turn begins in the same commit as its prompt is stored.
   */
  readonly needsClient?: boolean;
  /** What an older version left, in the middle of a turn. */
  readonly journal?: Extract<TurnAsk, { readonly do: "set up" }>["journal"];
}

const types = {
  input: "a prompt",
  "turn-start": "the begin of a turn",
  "step-start": "the intent to call the model",
  "step-end": "a step",
  effect: "an effect",
  "tool-result": "a result",
  "turn-end": "the end of a turn",
  "approval-request": "a question",
  "approval-answer": "an answer",
};

const commits: readonly TurnPoint[] = Object.entries(types).flatMap(([at, what]) => {
  const scenario = at.startsWith("approval") ? "question" : "work";
  const isUnheard = ["input", "turn-start", "step-start", "approval-answer"].includes(at);
  return [
    {
      name: `${what} is not committed`,
      scenario,
      at,
      when: "before" as const,
      needsClient: isUnheard || at === "approval-request",
    },
    { name: `${what} is committed`, scenario, at, when: "after" as const, needsClient: at === "approval-request" },
  ];
});

const within: readonly TurnPoint[] = [
  { name: "a thought is being told", scenario: "talk", at: "reasoning-delta", when: "during" },
  { name: "a text is being told", scenario: "talk", at: "text-delta", when: "during" },
  { name: "the arguments of a call are being told", scenario: "talk", at: "tool-input-delta", when: "during" },
  { name: "two of three calls have their results", scenario: "together", at: "three", when: "during" },
  { name: "the storage is full when a turn begins", scenario: "full", at: "input", when: "refused" },
  { name: "the storage is full when a call has run", scenario: "full", at: "step-end", when: "refused" },
  // In the sixth death the turn is given up.
  { name: "a call kills the object each time", scenario: "loop", at: "trap", when: "during", times: 6 },
];

const golden = join(import.meta.dirname, "..", "..", "packages", "runtime", "src", "golden");

const older: readonly TurnPoint[] = readdirSync(golden)
  .filter((name) => /^v\d+$/.test(name))
  .map((version) => {
    const { version: number, events } = fromLines(readFileSync(join(golden, version, "tools.jsonl"), "utf8"));
    const step = events.findIndex(({ type }) => type === "step-end");
    return {
      name: `a turn of journal ${version} goes on`,
      scenario: "model",
      at: "tool-result",
      when: "before",
      needsClient: true,
      journal: { version: number, events: events.slice(0, step + 1) },
    };
  });

export const turnPoints: readonly TurnPoint[] = [...commits, ...older, ...within];
