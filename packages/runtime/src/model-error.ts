import type { ErrorJson } from "@tenrec/protocol";
import { errorJson, TenrecError } from "@tenrec/protocol";
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  StreamProviderError,
} from "ai";
import { hintsFor } from "./model-error-hints.ts";
import { InterruptedAnswer } from "./model-step.ts";
import { Silence } from "./stall-watchdog.ts";
import { BadAnswer } from "./step-builder.ts";

/** A failed model call: what to show, and whether to try again and when. */
export interface ModelFailure {
  readonly error: ErrorJson;
  readonly retryable: boolean;
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfterMs?: number;
}

/** Longest wait for a provider that says how long; a person decides about longer ones. In milliseconds. */
const MAX_WAIT_MS = 60_000;

/** Workers AI tells its errors apart by a number at the start of the message; these are the HTTP statuses they stand for. */
const WORKERS_AI: Readonly<Record<string, number>> = {
  "10000": 401,
  "5007": 404,
  "5018": 403,
  "3006": 413,
  "3007": 408,
  "3036": 429,
  "3040": 529,
  "3043": 500,
};

/** `retry-after` in seconds or as an HTTP date, by RFC 9110; undefined when it is neither. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** What went wrong, whichever package and class said so. */
type Problem =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly said: string;
      readonly retryAfter?: string | undefined;
    }
  /** The provider said that it failed, without a status. */
  | { readonly kind: "provider"; readonly said: string }
  | { readonly kind: "connection"; readonly said: string }
  | { readonly kind: "no-gateway-token" }
  | { readonly kind: "silence"; readonly ms: number }
  /** Before any word what came is no answer, after one it is an answer that stops short. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "unfinished" }
  /** The package says that it failed, or for some that it stopped short, and does not say why. */
  | { readonly kind: "failed" }
  | { readonly kind: "empty" }
  /** Thrown by something that is no provider: our own refusals, an agent's own model. */
  | { readonly kind: "other"; readonly said: string };

function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Silence) return { kind: "silence", ms: thrown.data.ms };
  if (thrown instanceof BadAnswer) {
    return { kind: thrown.kind };
  }
  if (!(thrown instanceof Error)) return { kind: "other", said: sentence(String(thrown)) };
  const said = sentence(thrown.message);
  const number = /^(\d{4,5}): /.exec(thrown.message)?.[1];
  const known = number === undefined ? undefined : WORKERS_AI[number];
  if (known !== undefined) return { kind: "status", status: known, said };
  if (APICallError.isInstance(thrown)) return callProblem(thrown, said);
  if (StreamProviderError.isInstance(thrown)) {
    const status = thrown.statusCode;
    return status === undefined ? { kind: "provider", said } : { kind: "status", status, said };
  }
  if (NoOutputGeneratedError.isInstance(thrown) || InvalidResponseDataError.isInstance(thrown)) {
    return { kind: "unfinished" };
  }
  if (JSONParseError.isInstance(thrown)) return { kind: "unreadable" };
  return { kind: isNetwork(thrown) ? "connection" : "other", said };
}

function callProblem(thrown: APICallError, said: string): Problem {
  const { statusCode, responseHeaders = {}, responseBody = "" } = thrown;
  // 200: the answer had begun when the connection broke.
  if (statusCode === 200) return { kind: "connection", said: "The connection broke." };
  if (statusCode === undefined) {
    return isNetwork(thrown) || thrown.cause instanceof TypeError
      ? { kind: "connection", said }
      : { kind: "provider", said: isPage(thrown.message) ? "It sent a page instead of an answer." : said };
  }
  if (statusCode === 401 && /"code":\s*2009\b/.test(responseBody)) return { kind: "no-gateway-token" };
  const inMs = responseHeaders["retry-after-ms"];
  const retryAfter = inMs === undefined ? responseHeaders["retry-after"] : String(Number(inMs) / 1000);
  return { kind: "status", status: statusCode, said, retryAfter };
}

/** As far as it can be told from the words: workerd has no codes, and calls an unknown host an internal error. */
function isNetwork({ message, name }: Error): boolean {
  return (
    /network|connect|socket|fetch failed|terminated|ECONN|ENOTFOUND|EAI_AGAIN|\bDNS\b|^internal error/i.test(message) ||
    name === "NetworkError"
  );
}

interface Words {
  readonly what: string;
  /** What to do about it, when no answer had begun. */
  readonly hint?: string | undefined;
  /** Where to look when an answer that had begun is cut off again. */
  readonly check?: string;
}

const LATER = "Try again in a while.";

function inWords(model: string, problem: Problem, started: boolean): Words {
  const hints = hintsFor(model);
  const noModel: Words = { what: "What came is no model's answer.", hint: `Check ${hints.noModel}.` };
  switch (problem.kind) {
    case "status": {
      const hint = hints.status(problem.status, problem.said);
      return { what: started && hint ? `${problem.said} ${hint}` : problem.said, hint };
    }
    case "no-gateway-token":
      return { what: "The AI Gateway wants its token.", hint: "Set CF_AIG_TOKEN, or check the one that is set." };
    case "provider":
      return { what: `The provider reported an error. ${problem.said}`, hint: LATER };
    case "failed":
      if (started) return { what: "it failed, or ended before it was complete." };
      return { what: "The provider failed and did not say why.", hint: LATER };
    case "connection": {
      const what = started ? "the connection broke." : problem.said;
      return { what, hint: `Check ${hints.network}, or try again in a while.`, check: hints.network };
    }
    case "silence": {
      const what = `${started ? "nothing" : "Nothing"} came for ${duration(problem.ms)}.`;
      return { what, hint: `${LATER} If it goes on, check ${hints.silence}.`, check: hints.silence };
    }
    case "empty":
      if (started) return { what: "the model thought, and then said nothing." };
      return { what: "The answer was empty.", hint: `Check ${hints.noModel}.` };
    case "unreadable":
      return started ? { what: "a part of it could not be read." } : noModel;
    case "unfinished":
      return started ? { what: "it ended before it was complete." } : noModel;
    case "other":
      return { what: problem.said };
  }
}

/** Another try may succeed: after a limit, an overload, a fault of the provider, or a connection that broke. */
function mayPass(problem: Problem): boolean {
  if (problem.kind !== "status") return problem.kind !== "no-gateway-token";
  const { status } = problem;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** All that is said of a problem: what it is and what to do, or where an answer was cut off and how to go on. */
function sentencesOf(model: string, problem: Problem, started: boolean): string[] {
  const { what, hint, check } = inWords(model, problem, started);
  if (!started) return hint === undefined ? [what] : [what, hint];
  const again = check === undefined ? [] : [`If it goes on, check ${check}.`];
  return [`The answer was cut off: ${what}`, "Submit again to go on from here.", ...again];
}

/**
 * Puts anything that a model call threw into words. The original message of a provider is kept, its stack is not. An
 * answer that had begun is not asked for again: it has been billed, and what came of it was shown. `attempts` is how often
 * it was tried so far.
 */
export function modelFailure(model: string, thrown: unknown, now: number, attempts = 1): ModelFailure {
  const started = thrown instanceof InterruptedAnswer;
  const cause = started ? thrown.cause : thrown;
  const known = errorJson(cause);
  if (known.code !== "internal" && !(cause instanceof Silence)) {
    return { error: known, retryable: known.code === "timeout" && !started };
  }
  const problem = problemOf(cause);
  const sentences = sentencesOf(model, problem, started);
  const failure = (retryable: boolean): Pick<ModelFailure, "error" | "retryable"> => {
    const status = problem.kind === "status" ? { status: problem.status } : {};
    const error = new TenrecError("model-failed", { model, reason: sentences.join(" "), ...status });
    return { error: errorJson(error), retryable };
  };
  if (started) return failure(false);
  const wait = problem.kind === "status" ? retryAfterMs(problem.retryAfter, now) : undefined;
  const tooLong = wait !== undefined && wait > MAX_WAIT_MS;
  if (tooLong) sentences.push(`It asks to wait ${duration(wait)}.`);
  if (attempts > 1) sentences.push(`Tried ${attempts} times.`);
  return { ...failure(mayPass(problem) && !tooLong), ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

/** The first line, at most a few hundred characters: some providers answer with a page. */
function sentence(text: string): string {
  const line = text.trim().split("\n")[0]?.slice(0, 300) ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function isPage(text: string): boolean {
  return /^\s*<(!doctype|html|\?xml)/i.test(text);
}

function duration(ms: number): string {
  const [count, unit] =
    ms < 120_000
      ? [Math.ceil(ms / 1000), "second"]
      : ms < 7_200_000
        ? [ms / 60_000, "minute"]
        : [ms / 3_600_000, "hour"];
  const rounded = Math.ceil(Number(count));
  return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
