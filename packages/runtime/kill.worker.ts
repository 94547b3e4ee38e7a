import type { DurableEvent } from "@tenrec/protocol";
import { scriptedModel } from "@tenrec/testkit";
import type { CodingTools } from "@tenrec/tools";
import type { LanguageModel } from "ai";
import { CodingAgent, type ModelFactory } from "./src/index.ts";
import { Gate, type TurnGate } from "./src/kills/with-gate.ts";
import { scenarioTools, TURN_SCENARIOS, type TurnScenario } from "./src/kills/with-scenarios.ts";
import { problemsOf } from "./src/kills/with-verdict.ts";
import { MAIN_HEAD } from "./src/workspace.ts";
import { countSpent } from "./src/spent.ts";

interface Env {
  readonly AGENTS: DurableObjectNamespace<KillableAgent>;
  readonly [name: string]: unknown;
}

/** A request of the suite. */
export type TurnAsk =
  /** `journal`: of an older version, in the middle of a turn. */
  | {
      readonly do: "set up";
      readonly scenario: string;
      readonly journal?: { readonly version: number; readonly events: readonly DurableEvent[] };
    }
  | { readonly do: "run"; readonly gate: TurnGate }
  /** What a client does that heard no answer, or has one to give. */
  | { readonly do: "go on" }
  /** `kills`: how often workerd died since the turn began. */
  | { readonly do: "judge"; readonly kills: number };

export interface TurnVerdict {
  /** How the turn ended, and how it should; undefined when it did not end. */
  readonly reason: string | undefined;
  readonly expected: string;
  readonly problems: readonly string[];
  readonly lastSeq: number;
}

const SESSION = "s";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;

/**
 * A model that waits for its death in the middle of what it says. It answers when all is stored, as the platform holds back
 * a request to a real one.
 */
function held(model: Model, gate: Gate, stored: () => Promise<void>): Model {
  return {
    ...model,
    doStream: async (options) => {
      await stored();
      const { stream, ...rest } = await model.doStream(options);
      type Part = typeof stream extends ReadableStream<infer P> ? P : never;
      const passing = new TransformStream<Part, Part>({
        transform: async (part, controller) => {
          await gate.passPart(part.type);
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(passing) };
    },
  };
}

/** The real agent, stopped where the suite says. Each start of workerd is a new version of it. */
export class KillableAgent extends CodingAgent<Cloudflare.Env> {
  model = "scripted/none";
  override instructions = `This is version ${String((this.env as { readonly CODE?: unknown }).CODE)} of the agent.`;
  readonly #gate = new Gate(this.ctx.storage);

  override providers: Record<string, ModelFactory<Cloudflare.Env>> = {
    scripted: (name) =>
      held(scriptedModel({ model: name, steps: scenarioOf(name).says.map((say) => ({ say })) }), this.#gate, () =>
        this.ctx.storage.sync(),
      ),
  };

  override tools(base: CodingTools): CodingTools {
    return scenarioTools(base, {
      pass: (place) => this.#gate.pass(place),
      countResults: () => this.sessions.history(SESSION).filter(({ type }) => type === "tool-result").length,
      record: async (run) => {
        this.ctx.storage.sql.exec("INSERT INTO ran VALUES (?)", run);
        await this.ctx.storage.sync();
      },
    });
  }

  async ask(asked: TurnAsk): Promise<TurnVerdict | undefined> {
    await this.lifecycle.start();
    switch (asked.do) {
      case "set up":
        return this.#setUp(asked);
      case "run":
        this.#gate.arm(asked.gate, this.workspace.journal);
        await this.#submit();
        if (asked.gate.at === "approval-answer") await this.#answer();
        return;
      case "go on":
        if (this.sessions.pending(SESSION).length > 0) return this.#answer();
        return this.#submit();
      case "judge":
        return this.#judge(asked.kills);
    }
  }

  #setUp({ scenario, journal }: Extract<TurnAsk, { do: "set up" }>): undefined {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE ran (name TEXT)");
    if (!journal) {
      this.sessions.create({ id: SESSION });
      this.sessions.change(SESSION, { model: `scripted/${scenario}` });
      return;
    }
    // Not yet read by this instance, so that it folds what is there afterwards.
    this.workspace.journal.createSession(SESSION, MAIN_HEAD);
    sql.exec("UPDATE tenrec_sessions SET journal_version = ?", journal.version);
    for (const { session: _session, seq, at, ...body } of journal.events) {
      sql.exec("INSERT INTO tenrec_events VALUES (?, ?, ?, 1, ?)", SESSION, seq, at, JSON.stringify(body));
      countSpent(sql, [body]);
    }
  }

  async #submit(): Promise<undefined> {
    await this.sessions.submit(SESSION, "go", { operationId: "op" });
  }

  async #answer(): Promise<undefined> {
    let [pending] = this.sessions.pending(SESSION);
    while (!pending) {
      await new Promise((done) => setTimeout(done, 10));
      [pending] = this.sessions.pending(SESSION);
    }
    await this.sessions.answer(SESSION, pending.approvalId, { approved: true });
  }

  async #judge(kills: number): Promise<TurnVerdict> {
    const { journal, trees } = this.workspace;
    const { sql } = this.ctx.storage;
    const events = this.sessions.history(SESSION);
    const { model } = this.sessions.get(SESSION);
    const scenario = scenarioOf(model.replace("scripted/", ""));
    const names = (query: string): string[] =>
      sql
        .exec<{ name: string }>(query)
        .toArray()
        .map(({ name }) => name);
    const problems = await problemsOf({
      events,
      scenario,
      kills,
      readFile: (path) => trees.overlay(trees.head("main")).readFile(path),
      ran: names("SELECT name FROM ran"),
      spent: journal.spent(),
      jobs: names("SELECT fn AS name FROM cf_agents_jobs WHERE capability = 'tenrec'"),
    });
    const end = events.at(-1);
    const reason = end?.type === "turn-end" ? end.reason : undefined;
    return { reason, expected: scenario.ends ?? "done", problems, lastSeq: end?.seq ?? 0 };
  }
}

function scenarioOf(model: string): TurnScenario {
  const scenario = TURN_SCENARIOS[model];
  if (!scenario) throw new Error(`no scenario ${model}`);
  return scenario;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      const [, name = ""] = /^\/agents\/kill\/([^/]+)/.exec(new URL(request.url).pathname) ?? [];
      const stub = env.AGENTS.getByName(name);
      if (request.headers.get("upgrade") === "websocket") return await stub.fetch(request);
      return Response.json((await stub.ask((await request.json()) as TurnAsk)) ?? null);
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;
