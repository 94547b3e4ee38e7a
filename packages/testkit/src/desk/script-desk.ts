import type { Clock } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import type { Conversation } from "../script/conversation.ts";
import { mediaOf } from "../script/conversation.ts";
import { parseScript } from "../script/parse-script.ts";
import { countAttempts } from "../script/play.ts";
import type { Script } from "../script/script.ts";
import { answer, errorResponse } from "../wire/answer.ts";
import { prefixCache } from "../wire/prefix-cache.ts";
import { Refusal } from "../wire/refusal.ts";
import type { Wire } from "../wire/wire.ts";
import { readBody, type RecordedRequest, requestLog, withoutKeys } from "./record-request.ts";

/** A request for an answer, in whatever way it came. */
interface Incoming {
  readonly path: string;
  readonly headers: Headers;
  readonly text: string;
  readonly signal: AbortSignal;
  /** Gives the name of the script for the name of a model; default: that name. */
  readonly scriptName?: (model: string) => string;
}

/** Scripts by the name of their model, and what they were asked: the part that all servers share. */
export interface ScriptDesk {
  /** Of each model the newest 200. */
  readonly requests: readonly RecordedRequest[];
  readonly models: () => readonly string[];
  /** Throws `request-invalid` for a script that is not valid. */
  addScript(script: Script): void;
  /** Records the request and answers it. Rejects where a real server would close the connection without an answer. */
  take(wire: Wire, incoming: Incoming): Promise<Response>;
}

export function scriptDesk(scripts: Script | readonly Script[], clock: Clock): ScriptDesk {
  const byModel = new Map<string, Script>();
  const log = requestLog();
  const stage = { clock, attempts: countAttempts(), cache: prefixCache() };
  const addScript = (script: Script): void => void byModel.set(script.model, parseScript(script));
  for (const script of [scripts].flat()) addScript(script);

  const play = (
    wire: Wire,
    incoming: Incoming,
    record: (more: Partial<RecordedRequest>) => void,
  ): Promise<Response> => {
    const request = wire.read(JSON.parse(incoming.text));
    const model = incoming.scriptName?.(request.model) ?? request.model;
    const media = mediaOf(request.conversation);
    record({ model, ...(media.length > 0 ? { media } : {}) });
    const script = byModel.get(model);
    if (!script) {
      const names = [...byModel.keys()].join(", ");
      throw new Refusal(404, `The model "${model}" does not exist. There are: ${names}.`);
    }
    checkResults(request.conversation);
    const { step, response } = answer(wire, script, request, stage, incoming.signal);
    record({ step });
    return response;
  };

  return {
    requests: log.requests,
    addScript,
    models: () => [...byModel.keys()],
    async take(wire, incoming) {
      const { path, headers, text } = incoming;
      const record = log.add({ path, headers: withoutKeys(headers), body: readBody(text) });
      try {
        return await play(wire, incoming, record);
      } catch (error) {
        return errorResponse(wire, refusalOf(error), clock);
      }
    },
  };
}

/** Providers refuse a conversation in which a call has no result. */
function checkResults({ messages }: Conversation): void {
  let open: string[] = [];
  for (const message of [...messages, undefined]) {
    if (message?.role === "tool") open = open.filter((id) => id !== message.id);
    if (message && message.role !== "assistant") continue;
    const [first] = open;
    if (first !== undefined) {
      const rule = "An assistant message with tool calls must be followed by a result for each of them.";
      throw new Refusal(400, `${rule} There is none for: ${first}.`);
    }
    open = message?.calls.map(({ id }) => id) ?? [];
  }
}

/** What an error says about the request. Anything else is a connection that breaks, and is thrown again. */
function refusalOf(error: unknown): { status: number; message: string; code?: string } {
  if (error instanceof SyntaxError) return { status: 400, message: `The body is not JSON: ${error.message}` };
  if (error instanceof Refusal) {
    const { status, message, code } = error;
    return { status, message, ...(code === undefined ? {} : { code }) };
  }
  if (error instanceof TenrecError && error.code === "request-invalid") return { status: 400, message: error.message };
  throw error;
}
