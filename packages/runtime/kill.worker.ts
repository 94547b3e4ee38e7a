import { scriptedModel } from "@tenrec/testkit";
import type { CodingTools } from "@tenrec/tools";
import { tool } from "ai";
import { z } from "zod";
import { sha256 } from "./src/hash.ts";
import { CodingAgent, type ModelFactory, withTraits } from "./src/index.ts";
import { illegalIn, repeated } from "./src/simulation/with-legal.ts";

interface Env {
  readonly AGENTS: DurableObjectNamespace<KillableAgent>;
  readonly [name: string]: unknown;
}

/** Where a turn stops and waits for its death: at the first commit with an event of this type. */
export interface TurnGate {
  readonly id: string;
  readonly at: string;
  readonly when: "before" | "after";
}

/** A request of the suite. */
export type TurnAsk =
  | { readonly do: "run"; readonly gate: TurnGate }
  | { readonly do: "submit" }
  /** `kills`: how often workerd died since the turn began, each of which may cost a model call. */
  | { readonly do: "judge"; readonly kills: number };

export interface TurnVerdict {
  /** How the turn ended; undefined when it did not. */
  readonly reason: string | undefined;
  readonly problems: readonly string[];
}

/** Nothing can be awaited here. Far longer than the suite takes. */
function holdForEver(): void {
  const text = "x".repeat(1_000_000);
  for (let round = 0; round < 20_000; round += 1) sha256(text);
}

const script = {
  model: "kill",
  steps: [
    {
      say: [
        { reasoning: "A file, and an effect." },
        { delay: 100 },
        { call: "bash", input: { command: "echo x >> log.txt" } },
        { call: "deploy", input: {} },
      ],
    },
    { say: [{ text: "Done." }] },
  ],
};

/** The real agent, stopped at a commit. */
export class KillableAgent extends CodingAgent<Cloudflare.Env> {
  model = "scripted/kill";
  override providers: Record<string, ModelFactory<Cloudflare.Env>> = { scripted: () => scriptedModel(script) };

  override tools(base: CodingTools): CodingTools {
    const deploy = tool({
      description: "Has an effect outside, as far as this object is concerned.",
      inputSchema: z.object({}),
      execute: async () => {
        this.ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS effects (n INTEGER)");
        this.ctx.storage.sql.exec("INSERT INTO effects VALUES (1)");
        await this.ctx.storage.sync();
        return { text: "deployed" };
      },
    });
    return { ...base, deploy: withTraits(deploy, { replay: "unsafe", permission: "edit" }) };
  }

  async ask(asked: TurnAsk): Promise<TurnVerdict | undefined> {
    await this.lifecycle.start();
    if (!this.sessions.list().some(({ id }) => id === "s")) this.sessions.create({ id: "s" });
    if (asked.do === "judge") return this.#judge(asked.kills);
    if (asked.do === "run") this.#holdAt(asked.gate);
    await this.sessions.submit("s", "go", { operationId: "op" });
    return undefined;
  }

  #holdAt({ id, at, when }: TurnGate): void {
    const { journal } = this.workspace;
    const write = journal.write.bind(journal);
    let isReached = false;
    const hold = (): void => {
      console.log(`reached ${id}.`);
      holdForEver();
    };
    journal.write = (session, bodies) => {
      const events = write(session, bodies);
      if (isReached || !bodies.some(({ type }) => type === at)) return events;
      isReached = true;
      if (when === "before") hold();
      else queueMicrotask(() => void this.ctx.storage.sync().then(hold));
      return events;
    };
  }

  async #judge(kills: number): Promise<TurnVerdict> {
    const events = this.sessions.history("s");
    const end = events.findLast((event) => event.type === "turn-end");
    const idsOf = (type: "tool-call" | "tool-result"): string[] =>
      events.flatMap((event) => (event.type === type ? [event.toolCallId] : []));
    const { sql } = this.ctx.storage;
    const hasEffects = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'effects'").toArray().length > 0;
    const effects = hasEffects ? sql.exec("SELECT n FROM effects").toArray().length : 0;
    const { trees } = this.workspace;
    const log = await trees
      .overlay(trees.head("main"))
      .readFile("/log.txt")
      .catch(() => "");
    const calls = events.filter((event) => event.type === "step-start").length;
    const inputs = events.filter((event) => event.type === "input").length;
    return {
      reason: end?.type === "turn-end" ? end.reason : undefined,
      problems: [
        ...(inputs > 1 ? [`I1: ${inputs} prompts`] : []),
        ...repeated(idsOf("tool-result")).map((id) => `I2: ${id} has two results`),
        ...(end && idsOf("tool-call").length !== idsOf("tool-result").length ? ["I2: a call has no result"] : []),
        ...illegalIn(events).map((text) => `I3: ${text}`),
        ...(end && log !== "x\n" ? [`I4: the file is ${JSON.stringify(log)}`] : []),
        ...(calls > 2 + kills ? [`I5: ${calls} model calls, after ${kills} kills`] : []),
        ...(effects > 1 ? [`I6: ${effects} effects`] : []),
        ...repeated(events.flatMap((e) => (e.type === "turn-end" ? [e.turn] : []))).map(
          (n) => `I7: turn ${n} ended twice`,
        ),
      ],
    };
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      const stub = env.AGENTS.getByName(new URL(request.url).pathname);
      return Response.json((await stub.ask((await request.json()) as TurnAsk)) ?? null);
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;
