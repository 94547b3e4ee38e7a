import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { APICallError } from "@ai-sdk/provider";
import type { Play } from "../script/play.ts";
import type { ErrorPart, RawPart, ScriptUsage } from "../script/script.ts";

/** The parts of an AI SDK stream for one event. A cut has none: it throws, as a broken connection does. */
export function renderPart(play: Play, now: number): LanguageModelV4StreamPart[] {
  switch (play.type) {
    case "start":
      return [{ type: `${play.part}-start`, id: play.id }];
    case "delta":
      return [{ type: `${play.part}-delta`, id: play.id, delta: play.text }];
    case "end":
      return [{ type: `${play.part}-end`, id: play.id }];
    case "call-start":
      return [{ type: "tool-input-start", id: play.id, toolName: play.tool }];
    case "call-delta":
      return [{ type: "tool-input-delta", id: play.id, delta: play.text }];
    case "call-end": {
      const { id, tool, input } = play;
      return [
        { type: "tool-input-end", id },
        { type: "tool-call", toolCallId: id, toolName: tool, input },
      ];
    }
    case "error":
      return [{ type: "error", error: callError(play.error, now) }];
    case "raw":
      return [{ type: "error", error: notAnAnswer(play.raw) }];
    case "cut":
      if (play.cut === "clean") return [{ type: "finish", usage: renderUsage(undefined), finishReason: INTERRUPTED }];
      throw new TypeError("terminated");
    case "finish":
      return [{ type: "finish", usage: renderUsage(play.usage), finishReason: renderReason(play.reason) }];
  }
}

/** The error that a provider makes of a failed HTTP response. */
export function callError(error: ErrorPart["error"], now: number): APICallError {
  const { status = 500, message, retryAfter, retryAfterDate } = error;
  const wait = retryAfterDate ? new Date(now + (retryAfter ?? 0) * 1000).toUTCString() : String(retryAfter);
  return new APICallError({
    message,
    url: "https://scripted.invalid/",
    requestBodyValues: {},
    statusCode: status,
    ...(retryAfter === undefined ? {} : { responseHeaders: { "retry-after": wait } }),
  });
}

/** The error that a provider makes of a response that it cannot read. */
export function notAnAnswer({ raw, status = 200 }: RawPart): APICallError {
  const message = "Invalid JSON response";
  const url = "https://scripted.invalid/";
  return new APICallError({ message, url, requestBodyValues: {}, statusCode: status, responseBody: raw });
}

const INTERRUPTED: LanguageModelV4FinishReason = { unified: "interrupted", raw: undefined };

type Unified = LanguageModelV4FinishReason["unified"];
const UNIFIED: readonly Unified[] = ["stop", "length", "content-filter", "tool-calls", "error", "interrupted"];

function renderReason(raw: string): LanguageModelV4FinishReason {
  return { unified: UNIFIED.find((reason) => reason === raw) ?? "other", raw };
}

function renderUsage(usage: ScriptUsage | undefined): LanguageModelV4Usage {
  return {
    inputTokens: {
      total: usage?.inputTokens,
      noCache: usage && usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
      cacheRead: usage?.cachedInputTokens,
      cacheWrite: usage?.cacheWriteTokens,
    },
    outputTokens: {
      total: usage?.outputTokens,
      text: usage && usage.outputTokens - usage.reasoningTokens,
      reasoning: usage?.reasoningTokens,
    },
  };
}
