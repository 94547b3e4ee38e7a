import type { Clock } from "@tenrec/protocol";
import { callInput } from "./call-input.ts";
import type { Conversation } from "./conversation.ts";
import { fingerprint, joinPrompts } from "./conversation.ts";
import type { CacheShare } from "./estimate-usage.ts";
import { estimateUsage } from "./estimate-usage.ts";
import { breaksOff, isDue, stalled } from "./faults.ts";
import type { CutPart, ErrorPart, RawPart, Script, ScriptPart, ScriptUsage } from "./script.ts";
import { selectStep } from "./select-step.ts";

/** What happens while a step is said; each wire format renders these. Nothing follows `cut`, and only `finish` follows `error`. */
export type Play =
  | { readonly type: "start" | "end"; readonly part: "text" | "reasoning"; readonly id: string }
  | { readonly type: "delta"; readonly part: "text" | "reasoning"; readonly id: string; readonly text: string }
  | { readonly type: "call-start"; readonly call: number; readonly id: string; readonly tool: string }
  | { readonly type: "call-delta"; readonly call: number; readonly id: string; readonly text: string }
  | {
      readonly type: "call-end";
      readonly call: number;
      readonly id: string;
      readonly tool: string;
      readonly input: string;
    }
  | { readonly type: "error"; readonly error: ErrorPart["error"] }
  | { readonly type: "cut"; readonly cut: CutPart["cut"] }
  | { readonly type: "raw"; readonly raw: RawPart }
  | { readonly type: "finish"; readonly reason: string; readonly usage: ScriptUsage | undefined };

/** Counts the calls with one conversation. The only state of a scripted model, and only `times` looks at it. */
export interface Attempts {
  next(fingerprint: string): number;
}

export function countAttempts(): Attempts {
  const counts = new Map<string, number>();
  return {
    next(name) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count;
    },
  };
}

/** A play that has begun: a call that fails at once, or one that streams. */
export interface Performance {
  readonly id: string;
  /** The step that answers, counted from 0. */
  readonly step: number;
  readonly usage: ScriptUsage | undefined;
  readonly events: AsyncGenerator<Play, void, void>;
}

export interface PlayOptions {
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly signal: AbortSignal;
  /** What a prompt cache had; default: what the previous call sent. */
  readonly share?: CacheShare;
}

/** Chooses the step for a conversation and plays it. Throws as `selectStep` does; the events throw `signal.reason`. */
export function perform(script: Script, asked: Conversation, options: PlayOptions): Performance {
  const conversation = joinPrompts(asked);
  const { step, index } = selectStep(script, conversation);
  const id = fingerprint(conversation);
  const attempt = options.attempts.next(`${script.model} ${id}`);
  const say = step.say.filter((part) => isDue(part, attempt));
  const reason = step.finishReason ?? (say.some((part) => "call" in part) ? "tool-calls" : "stop");
  const pace = { ms: script.pace ?? 0, ...options };
  const usage = estimateUsage(step, conversation, options.share);
  const events = speak(say, `call_${id}`, pace, { type: "finish", reason, usage });
  return { id: `resp_${id}`, step: index, usage, events };
}

interface Pace {
  readonly ms: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function* speak(
  say: readonly ScriptPart[],
  callId: string,
  pace: Pace,
  finish: Play,
): AsyncGenerator<Play, void, void> {
  let calls = 0;
  for (const [index, part] of say.entries()) {
    pace.signal.throwIfAborted();
    const isCut = breaksOff(say[index + 1]);
    if ("delay" in part) await pace.clock.sleep(part.delay, pace.signal);
    else if ("stall" in part) await stalled(pace.signal);
    else if ("raw" in part) yield { type: "raw", raw: part };
    else if ("error" in part) {
      yield { type: "error", error: part.error };
      return yield { type: "finish", reason: "error", usage: undefined };
    } else if ("cut" in part) return yield { type: "cut", cut: part.cut };
    else if ("call" in part) yield* speakCall(part, calls++, callId, pace, isCut);
    else if ("text" in part) yield* speakText("text", index, part.text, pace, isCut);
    else yield* speakText("reasoning", index, part.reasoning, pace, isCut);
  }
  yield finish;
}

async function* speakText(
  part: "text" | "reasoning",
  index: number,
  text: string,
  pace: Pace,
  isCut: boolean,
): AsyncGenerator<Play, void, void> {
  const id = `${part}-${index + 1}`;
  yield { type: "start", part, id };
  const said = isCut ? firstHalf(text) : text;
  for await (const piece of paced(said.match(/\s*\S+\s*|\s+/g), pace)) yield { type: "delta", part, id, text: piece };
  if (!isCut) yield { type: "end", part, id };
}

async function* speakCall(
  part: Extract<ScriptPart, { call: string }>,
  call: number,
  callId: string,
  pace: Pace,
  isCut: boolean,
): AsyncGenerator<Play, void, void> {
  const id = part.id ?? `${callId}_${call + 1}`;
  const input = callInput(part);
  yield { type: "call-start", call, id, tool: part.call };
  const said = isCut ? firstHalf(input) : input;
  for await (const text of paced(said.match(/[^]{1,24}/gu), pace)) yield { type: "call-delta", call, id, text };
  if (!isCut) yield { type: "call-end", call, id, tool: part.call, input };
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

async function* paced(pieces: readonly string[] | null, pace: Pace): AsyncGenerator<string, void, void> {
  for (const piece of pieces ?? []) {
    if (pace.ms > 0) await pace.clock.sleep(pace.ms, pace.signal);
    pace.signal.throwIfAborted();
    yield piece;
  }
}
