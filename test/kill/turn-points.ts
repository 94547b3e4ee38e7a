/** A commit of a turn at which workerd is killed. */
export interface TurnPoint {
  readonly name: string;
  /** The type of an event that the commit has. */
  readonly at: string;
  readonly when: "before" | "after";
}

const types = {
  input: "a prompt",
  "turn-start": "the begin of a turn",
  "step-start": "the intent to call the model",
  "step-end": "a step",
  effect: "an effect",
  "tool-result": "a result",
  "turn-end": "the end of a turn",
};

export const turnPoints: readonly TurnPoint[] = Object.entries(types).flatMap(([at, what]) => [
  { name: `${what} is not committed`, at, when: "before" as const },
  { name: `${what} is committed`, at, when: "after" as const },
]);
