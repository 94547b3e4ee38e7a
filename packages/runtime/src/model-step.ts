import type { Clock, DurableEventBody, UsageEvent } from "@tenrec/protocol";
import type { LanguageModel, LanguageModelStreamPart } from "ai";
import { experimental_streamLanguageModelCall as streamLanguageModelCall } from "ai";
import { withCacheMarkers } from "./cache-markers.ts";
import { stallWatchdog } from "./stall-watchdog.ts";
import { StepBuilder, type StepRequest } from "./step-builder.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ModelStep extends StepRequest {
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** A model call that failed after its answer had begun: it has been billed, and is not repeated by itself. */
export class InterruptedAnswer extends Error {
  /** What it used, by estimate: providers report usage at the end only. */
  readonly usage: UsageEvent;

  constructor(usage: UsageEvent, options: ErrorOptions) {
    super("the answer was interrupted", options);
    this.usage = usage;
  }
}

/**
 * One model call. Resolves with the events of the complete step, and with nothing of an incomplete one: a call that
 * fails, stalls or is cut off throws, and what was streamed until then was only deltas. What is thrown after the first
 * word is an `InterruptedAnswer` with the failure as its cause.
 */
export async function modelStep(request: ModelStep): Promise<DurableEventBody[]> {
  const started = request.clock.now();
  using watchdog = stallWatchdog(request.clock);
  const signal = AbortSignal.any([request.signal, watchdog.signal]);
  const builder = new StepBuilder(request);
  try {
    const read = async (): Promise<void> => {
      // Not `streamText`: it would put a dozen streams for its own loop around the one of the provider.
      const { stream } = await streamLanguageModelCall({
        model: request.model,
        ...withCacheMarkers(request.instructions, request.messages),
        // They are not run here: the loop runs what a committed step has called.
        tools: request.tools,
        abortSignal: signal,
        // Sessions outlive what OpenAI stores, so each request carries the whole conversation.
        providerOptions: { openai: { store: false } },
      });
      for await (const part of stream) {
        if (signal.aborted) return;
        if (isWord(part)) watchdog.heard();
        builder.add(part);
      }
    };
    // A provider that does not listen to the signal must not hold the step.
    await untilAborted(read(), signal);
    signal.throwIfAborted();
    return builder.finish(request.clock.now() - started);
  } catch (error) {
    if (watchdog.started) throw new InterruptedAnswer(builder.usage(), { cause: error });
    throw error;
  }
}

function isWord({ type }: LanguageModelStreamPart): boolean {
  return type.endsWith("-delta") || type === "tool-call";
}
