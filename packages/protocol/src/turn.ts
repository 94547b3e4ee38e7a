/** A part of a prompt. `url` is a `data:` URL or one that the model's provider can fetch. */
export type InputPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly url: string; readonly filename?: string };

/**
 * What to do with input while a turn runs: `followUp` queues it for a turn of its own, `steer` adds it to the running
 * turn after the current round of tool calls, `reject` refuses it with `session-busy`.
 */
export type WhenBusy = "followUp" | "steer" | "reject";

/**
 * Why a turn ended. `done` is the only one that answered; the others say what stopped it.
 * `budget` covers money and tokens, `repetition` is the third identical call in a row, and `recovery` a turn that was
 * given up after being interrupted too often.
 */
export type TurnEndReason = "done" | "aborted" | "failed" | "steps" | "budget" | "repetition" | "recovery";
