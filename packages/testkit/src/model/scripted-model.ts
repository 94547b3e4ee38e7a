import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { Clock } from "@tenrec/protocol";
import { parseScript } from "../script/parse-script.ts";
import type { Performance, Play } from "../script/play.ts";
import { countAttempts, perform } from "../script/play.ts";
import type { Script } from "../script/script.ts";
import { streamOf } from "../script/stream-of.ts";
import { wallClock } from "../wall-clock.ts";
import { collect } from "./collect.ts";
import { readCall } from "./read-call.ts";
import { callError, notAnAnswer, renderPart } from "./render-part.ts";

export interface ScriptedModelOptions {
  /** What delays wait on; default: real time. */
  readonly clock?: Clock;
}

export interface ScriptedModel extends LanguageModelV4 {
  /** What it was asked so far, oldest first. */
  readonly calls: readonly LanguageModelV4CallOptions[];
}

/**
 * A language model that says what its script says. The answer depends on the conversation alone, so it is the same after a
 * crash and in another process; only `times` in a script counts calls. Throws `request-invalid` for a script that is not
 * valid; a call that no step answers fails with the same code.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const checked = parseScript(script);
  const calls: LanguageModelV4CallOptions[] = [];
  const attempts = countAttempts();
  const clock = options.clock ?? wallClock();

  const begin = async (call: LanguageModelV4CallOptions): Promise<Opening> => {
    calls.push(call);
    const stop = new AbortController();
    const signal = call.abortSignal ? AbortSignal.any([call.abortSignal, stop.signal]) : stop.signal;
    signal.throwIfAborted();
    const performance = perform(checked, readCall(call), { clock, attempts, signal });
    const first = await performance.events.next();
    if (first.value?.type === "error" && !first.value.error.inStream) throw callError(first.value.error, clock.now());
    if (first.value?.type === "raw") throw notAnAnswer(first.value.raw);
    if (first.value?.type === "cut") throw new TypeError("fetch failed");
    return { performance, first: first.value, stop: () => stop.abort() };
  };
  const stream = ({ performance, first, stop }: Opening): ReadableStream<LanguageModelV4StreamPart> =>
    streamOf(parts(performance, first, checked.model, clock), stop);

  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: checked.model,
    supportedUrls: { "*/*": [/.*/] },
    calls,
    doStream: async (call) => ({ stream: stream(await begin(call)) }),
    doGenerate: async (call): Promise<LanguageModelV4GenerateResult> => collect(stream(await begin(call))),
  };
}

interface Opening {
  readonly performance: Performance;
  readonly first: Play | void;
  readonly stop: () => void;
}

async function* parts(
  { id, events }: Performance,
  first: Play | void,
  modelId: string,
  clock: Clock,
): AsyncGenerator<LanguageModelV4StreamPart, void, void> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id, modelId };
  if (first) yield* renderPart(first, clock.now());
  for await (const play of events) yield* renderPart(play, clock.now());
}
