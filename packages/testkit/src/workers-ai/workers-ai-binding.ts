import type { Clock, Json } from "@tenrec/protocol";
import type { RecordedRequest } from "../desk/record-request.ts";
import { scriptDesk } from "../desk/script-desk.ts";
import type { Script } from "../script/script.ts";
import { streamOf } from "../script/stream-of.ts";
import { wallClock } from "../wall-clock.ts";
import { workersAiWire } from "./workers-ai-wire.ts";

export interface WorkersAiBindingOptions {
  /** What delays wait on; default: real time. */
  readonly clock?: Clock;
}

/** What of the binding's options has a meaning here; all of them are recorded. */
export interface WorkersAiRunOptions {
  readonly returnRawResponse?: boolean;
  readonly signal?: AbortSignal;
  readonly extraHeaders?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

export interface WorkersAiBinding {
  /**
   * Resolves with a stream of server-sent events for `stream: true`, else with the answer; a `Response` when that is asked
   * for. Rejects as the real binding does: an error named `InferenceUpstreamError` whose message starts with a number.
   */
  run(model: string, inputs: object, options?: WorkersAiRunOptions): Promise<object>;
  /** Requests for answers, oldest first, the newest 200 of each model; the body of one is `{ inputs, options }`. */
  readonly requests: readonly RecordedRequest[];
  /** Offers one more model, or another script for one. */
  addScript(script: Script): void;
}

/**
 * A Workers AI binding, as `env.AI`, whose models play scripts. Throws `request-invalid` for a script that is not valid. It
 * is structural: give it to `createWorkersAI` as `binding as unknown as Ai`.
 */
export function workersAiBinding(
  scripts: Script | readonly Script[],
  options: WorkersAiBindingOptions = {},
): WorkersAiBinding {
  const desk = scriptDesk(scripts, options.clock ?? wallClock());
  return {
    requests: desk.requests,
    addScript: (script) => desk.addScript(script),
    async run(model, inputs, { signal, ...rest } = {}) {
      const wire = workersAiWire(model);
      const response = await desk
        .take(
          { ...wire, read: (body) => wire.read((body as { readonly inputs: Json }).inputs) },
          {
            path: "binding",
            headers: new Headers(rest.extraHeaders),
            text: JSON.stringify({ inputs, options: rest }),
            signal: signal ?? new AbortController().signal,
          },
        )
        .catch(lostConnection);
      if (rest.returnRawResponse) return response;
      if (!response.ok || !response.body) throw await upstreamError(response);
      if (response.headers.get("content-type") === "application/json") return (await response.json()) as object;
      return withLostConnection(response.body);
    },
  };
}

function lostConnection(error: unknown): never {
  if (error instanceof TypeError) throw new Error("Network connection lost.", { cause: error });
  throw error;
}

function withLostConnection(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pieces = { next: () => reader.read().catch(lostConnection) as Promise<IteratorResult<Uint8Array>> };
  return streamOf(pieces, () => void reader.cancel());
}

async function upstreamError(response: Response): Promise<Error> {
  const content = await response.text();
  const error = new Error(messageIn(content));
  error.name = "InferenceUpstreamError";
  return error;
}

function messageIn(content: string): string {
  try {
    const [first] = (JSON.parse(content) as { readonly errors: readonly { code: number; message: string }[] }).errors;
    return first ? `${first.code}: ${first.message}` : content;
  } catch {
    return content;
  }
}
