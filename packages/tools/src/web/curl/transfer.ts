import type { EgressResponse } from "@tenrec/protocol";
import { hasCode, toModelText } from "@tenrec/protocol";
import { joinBytes } from "../read-body.ts";
import { CurlError } from "./curl-error.ts";
import type { CurlOptions } from "./curl-options.ts";
import type { CurlPort } from "./curl-port.ts";
import type { CurlRequest } from "./request-of.ts";

/** All of an answer is held in memory, in an object of 128 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 50;
const MAX_SECONDS = 120;
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export interface Transferred {
  readonly response: EgressResponse;
  readonly bytes: Uint8Array;
  readonly retries: number;
}

/** One transfer, with the retries that were asked for. Throws `CurlError`, `approval-required`, or `signal.reason`. */
export async function transfer(options: CurlOptions, request: CurlRequest, port: CurlPort): Promise<Transferred> {
  const retries = numberOf(options, "retry") ?? 0;
  const delay = numberOf(options, "retry-delay");
  const until = port.now() + (numberOf(options, "retry-max-time") ?? Infinity) * 1000;
  for (let tried = 0; ; tried += 1) {
    const outcome = await attempt(options, request, port);
    const isLast = tried >= retries || port.now() >= until;
    if (isLast || !isWorthRetrying(options, outcome)) {
      if (outcome instanceof CurlError) throw outcome;
      return { ...outcome, retries: tried };
    }
    await port.sleep((delay ?? Math.min(2 ** tried, 60)) * 1000, port.signal);
  }
}

type Outcome = Omit<Transferred, "retries"> | CurlError;

async function attempt(options: CurlOptions, request: CurlRequest, port: CurlPort): Promise<Outcome> {
  try {
    return await sendOnce(options, request, port);
  } catch (error) {
    if (hasCode(error, "approval-required") || port.signal.aborted) throw error;
    return curlError(error, options);
  }
}

async function sendOnce(options: CurlOptions, request: CurlRequest, port: CurlPort): Promise<Outcome> {
  const connecting = new AbortController();
  const seconds = numberOf(options, "connect-timeout");
  const slow = new CurlError(28, `Failed to connect after ${(seconds ?? 0) * 1000} ms: Timeout was reached`);
  const timer = seconds === undefined ? undefined : setTimeout(() => connecting.abort(slow), seconds * 1000);
  try {
    const response = await port.egress.fetch({
      ...request,
      by: port.by,
      maxRedirects: options.flags.has("location") ? (numberOf(options, "max-redirs") ?? MAX_REDIRECTS) : 0,
      maxBytes: Math.min(numberOf(options, "max-filesize") ?? MAX_BYTES, MAX_BYTES),
      timeout: Math.min(numberOf(options, "max-time") ?? MAX_SECONDS, MAX_SECONDS) * 1000,
      signal: AbortSignal.any([port.signal, connecting.signal]),
      onSend: (target) => port.onSend(target),
    });
    clearTimeout(timer);
    const isTooFar = options.flags.has("location") && numberOf(options, "max-redirs") === 0;
    if (isTooFar && response.status >= 300 && response.status < 400 && response.headers.has("location")) {
      await response.body[Symbol.asyncIterator]().return?.();
      throw new CurlError(47, "Maximum (0) redirects followed");
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) pieces.push(piece);
    return { response, bytes: joinBytes(pieces) };
  } finally {
    clearTimeout(timer);
  }
}

function isWorthRetrying({ flags }: CurlOptions, outcome: Outcome): boolean {
  if (!(outcome instanceof CurlError)) return RETRIED.has(outcome.response.status);
  if (outcome.exitCode === 28 || flags.has("retry-all-errors")) return outcome.exitCode !== NOT_ALLOWED;
  return flags.has("retry-connrefused") && outcome.exitCode === 7;
}

/** Of what no retry changes; curl has it for a server that denies the login. */
const NOT_ALLOWED = 9;

function curlError(error: unknown, options: CurlOptions): CurlError {
  if (error instanceof CurlError) return error;
  if (hasCode(error, "timeout")) return new CurlError(28, `Operation timed out after ${error.data.ms} milliseconds`);
  if (hasCode(error, "response-too-large")) {
    const how = options.values.has("max-filesize") ? "" : "; ask for a part of it with -r 0-999999";
    return new CurlError(63, `Maximum file size exceeded (${error.data.limit} bytes)${how}`);
  }
  if (hasCode(error, "fetch-failed")) {
    const { redirects, reason } = error.data;
    if (redirects !== undefined) return new CurlError(47, `Maximum (${redirects - 1}) redirects followed`);
    return new CurlError(7, `Failed to connect: ${reason}`);
  }
  if (hasCode(error, "egress-refused") || hasCode(error, "permission-denied"))
    return new CurlError(NOT_ALLOWED, toModelText(error));
  throw error;
}

/** The value of an option that is a number. Throws `CurlError` for one that is none. */
function numberOf(
  { values }: CurlOptions,
  option: "connect-timeout" | "max-filesize" | "max-redirs" | "max-time" | "retry" | "retry-delay" | "retry-max-time",
): number | undefined {
  const text = values.get(option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number < 0)
    throw new CurlError(2, `option --${option}: expected a proper numerical parameter`);
  // curl takes 0 for no limit, except for redirects and retries.
  return number === 0 && /time|filesize/.test(option) ? undefined : number;
}
