import type { Json } from "@tenrec/protocol";
import { APICallError, type LanguageModel } from "ai";
import type { World } from "./with-world.ts";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;
type CallOptions = Parameters<Model["doStream"]>[0];
type Part = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

/** One model call as the provider saw it. */
export interface ProviderCall {
  readonly n: number;
  readonly session: string;
  /** `failed` is the provider's own doing; `aborted` was asked for by the instance that is current. */
  state: "open" | "completed" | "failed" | "aborted";
}

/** What the provider reports for call `n`: figures that tell which call it was. */
export function tokensOf(n: number): number {
  return n * 1000;
}

type Said =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly call: string; readonly input: Json };
type Fault = "500" | "429" | "400" | "stall" | "cut";

function call(world: World): Said {
  const { chance, plan } = world;
  if (plan.crashLoop) return { call: "trap", input: {} };
  if (plan.repeats) return { call: "count", input: { same: true } };
  const path = `f${chance.below(4)}.txt`;
  const id = world.count();
  const made: { readonly [name: string]: Json } = {
    write: { path, content: `content ${id}\n` },
    read: { path },
    count: { id },
    deploy: { id },
    publish: { id },
    bash: { command: `npm run build-${id}` },
    nothing: { id },
  };
  const names = ["write", "write", "write", "read", "count", "count", "deploy", "publish", "bash", "nothing"];
  const name = chance.pick(names);
  return { call: name, input: made[name] ?? {} };
}

function answer(world: World): Said[] {
  const { chance, plan } = world;
  const calls = plan.repeats || plan.crashLoop ? 1 : chance.is(0.4) ? 0 : 1 + chance.below(3);
  const text: Said[] = calls === 0 || chance.is(0.5) ? [{ text: `Some words of answer ${world.count()}.` }] : [];
  const reasoning: Said[] = chance.is(0.3) ? [{ reasoning: "Let me think about it." }] : [];
  return [...reasoning, ...text, ...Array.from({ length: calls }, () => call(world))];
}

function* partsOf(said: Said, id: string): Generator<Part> {
  if ("call" in said) {
    const input = JSON.stringify(said.input);
    yield { type: "tool-input-start", id, toolName: said.call };
    yield { type: "tool-input-delta", id, delta: input.slice(0, 5) };
    yield { type: "tool-input-delta", id, delta: input.slice(5) };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: said.call, input };
    return;
  }
  const kind = "text" in said ? "text" : "reasoning";
  const text = "text" in said ? said.text : said.reasoning;
  yield { type: `${kind}-start`, id };
  for (const delta of text.match(/\S+\s*/g) ?? []) yield { type: `${kind}-delta`, id, delta };
  yield { type: `${kind}-end`, id };
}

function finish(n: number, reason: "stop" | "tool-calls"): Part {
  return {
    type: "finish",
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: tokensOf(n), noCache: tokensOf(n), cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 7, text: 7, reasoning: 0 },
    },
  };
}

function failed(status: number): APICallError {
  const headers = { "retry-after": "3" };
  return new APICallError({
    message: "the provider failed",
    url: "https://provider.test",
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: status === 429 ? headers : {},
    isRetryable: status !== 400,
  });
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal?.aborted) reject(signal.reason);
  });
}

/** A provider whose answer to one call is made up when it is asked for. */
class SeededCall {
  readonly #world: World;
  readonly #instance: object;
  readonly #record: ProviderCall;
  readonly #says: readonly Said[];
  readonly #fault: { readonly kind: Fault; readonly at: number } | undefined;

  constructor(world: World, session: string, instance: object) {
    const { chance, plan } = world;
    this.#world = world;
    this.#instance = instance;
    this.#says = answer(world);
    const isFaulty = chance.is(plan.modelFaults);
    const kind = chance.pick(["500", "500", "429", "400", "stall", "cut"] as const);
    this.#fault = isFaulty ? { kind, at: chance.is(0.6) ? 0 : 2 + chance.below(4) } : undefined;
    this.#record = { n: world.calls.length + 1, session, state: isFaulty ? "failed" : "open" };
    world.calls.push(this.#record);
  }

  async stream(options: CallOptions): Promise<{ stream: ReadableStream<Part> }> {
    const { abortSignal: signal } = options;
    const record = this.#record;
    signal?.addEventListener("abort", () => {
      if (record.state === "open" && this.#world.isCurrent(this.#instance)) record.state = "aborted";
    });
    await this.#world.scheduler.pause(this.#instance, "first byte");
    if (this.#fault?.at === 0) await this.#fail(this.#fault.kind, signal);
    const parts = this.#parts(signal);
    const pull = async (controller: ReadableStreamDefaultController<Part>): Promise<void> => {
      try {
        const next = await parts.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    };
    return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) };
  }

  async *#parts(signal: AbortSignal | undefined): AsyncGenerator<Part, void, void> {
    const pace = this.#world.chance.pick([1, 20, 400]);
    let at = 0;
    yield { type: "stream-start", warnings: [] };
    for (const [i, said] of this.#says.entries()) {
      for (const part of partsOf(said, `c${this.#record.n}-${i}`)) {
        await this.#world.scheduler.pause(this.#instance, "part", pace);
        signal?.throwIfAborted();
        at += 1;
        if (at === this.#fault?.at) await this.#fail(this.#fault.kind, signal);
        yield part;
      }
    }
    if (this.#fault) await this.#fail(this.#fault.kind, signal);
    if (this.#record.state === "open") this.#record.state = "completed";
    yield finish(this.#record.n, this.#says.some((said) => "call" in said) ? "tool-calls" : "stop");
  }

  async #fail(kind: Fault, signal: AbortSignal | undefined): Promise<void> {
    if (kind === "stall") await untilAborted(signal);
    throw kind === "cut" ? new TypeError("fetch failed") : failed(Number(kind));
  }
}

export function seededModel(world: World, session: string, instance: object): LanguageModel {
  const model: Model = {
    specificationVersion: "v4",
    provider: "seeded",
    modelId: session,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    doStream: (options) => new SeededCall(world, session, instance).stream(options),
  };
  return model;
}
