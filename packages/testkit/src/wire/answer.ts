import type { Clock } from "@tenrec/protocol";
import type { Attempts, Play } from "../script/play.ts";
import { perform } from "../script/play.ts";
import type { ErrorPart, RawPart, Script } from "../script/script.ts";
import { streamOf } from "../script/stream-of.ts";
import type { PrefixCache } from "./prefix-cache.ts";
import type { Content, Head, Rendering, Wire, WireRequest } from "./wire.ts";

/** What the answers of one server share. */
export interface Stage {
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly cache: PrefixCache;
}

/** A response, and which step it plays, counted from 0. */
export interface Answer {
  readonly step: number;
  readonly response: Promise<Response>;
}

/**
 * Answers a request as its script says, in any wire format; this is where faults become what a client meets. Throws as
 * `selectStep` does; the response rejects where the connection breaks before it.
 */
export function answer(wire: Wire, script: Script, request: WireRequest, stage: Stage, gone: AbortSignal): Answer {
  const stop = new AbortController();
  const signal = AbortSignal.any([gone, stop.signal]);
  const share = stage.cache.look(request.model, request.blocks);
  const { id, step, usage, events } = perform(script, request.conversation, { ...stage, signal, share });

  const respond = async (): Promise<Response> => {
    const { value: first } = await events.next();
    if (first?.type === "error" && !first.error.inStream) return errorResponse(wire, first.error, stage.clock);
    if (first?.type === "cut") throw new TypeError("the connection is closed before an answer, as the script says");
    if (first?.type === "raw") return rawResponse(first.raw, request.stream);
    stage.cache.keep(request.model, request.blocks);
    const head = { id, model: request.model, created: Math.floor(stage.clock.now() / 1000), usage };
    const all = prepend(first, events);
    if (!request.stream) return wholeResponse(wire, all, request, head, stage.clock);
    const body = streamOf(bytes(all, request.render(head)), () => stop.abort());
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
  };
  return { step, response: respond() };
}

/** A failed request, in the provider's form. */
export function errorResponse(wire: Wire, error: ErrorPart["error"], clock: Clock): Response {
  const { status = 500, retryAfter, retryAfterDate } = error;
  const headers = new Headers();
  if (retryAfter !== undefined) {
    const date = (): string => new Date(clock.now() + retryAfter * 1000).toUTCString();
    headers.set("retry-after", retryAfterDate ? date() : String(retryAfter));
  }
  return Response.json(wire.error({ ...error, status }), { status, headers });
}

function rawResponse({ raw, status = 200, contentType }: RawPart, stream: boolean): Response {
  const type = contentType ?? (stream ? "text/event-stream" : "application/json");
  return new Response(raw, { status, headers: { "content-type": type } });
}

async function* bytes(plays: AsyncIterable<Play>, rendering: Rendering): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  let isOpen = false;
  for await (const play of plays) {
    // A provider that fails at once says that first.
    if (!isOpen && play.type !== "error") yield encoder.encode(rendering.open());
    isOpen = true;
    if (play.type === "cut" && play.cut === "clean") return;
    if (play.type === "cut") throw new TypeError("terminated");
    const text = play.type === "raw" ? play.raw.raw : rendering.next(play);
    if (text) yield encoder.encode(text);
    if (play.type === "error") return;
  }
}

async function wholeResponse(
  wire: Wire,
  plays: AsyncIterable<Play>,
  request: WireRequest,
  head: Head,
  clock: Clock,
): Promise<Response> {
  const content: Content[] = [];
  const texts = new Map<string, number>();
  for await (const play of plays) {
    if (play.type === "error") return errorResponse(wire, play.error, clock);
    if (play.type === "raw") return rawResponse(play.raw, false);
    if (play.type === "cut") break;
    if (play.type === "start") texts.set(play.id, content.push({ type: play.part, text: "" }) - 1);
    if (play.type === "delta") {
      const index = texts.get(play.id) ?? 0;
      const before = content[index];
      content[index] = { type: play.part, text: (before && "text" in before ? before.text : "") + play.text };
    }
    if (play.type === "call-end") content.push({ ...play, type: "call" });
    if (play.type === "finish") return Response.json(request.whole({ content, reason: play.reason }, head));
  }
  throw new TypeError("terminated");
}

async function* prepend(first: Play | void, rest: AsyncGenerator<Play, void, void>): AsyncGenerator<Play, void, void> {
  if (first) yield first;
  yield* rest;
}
