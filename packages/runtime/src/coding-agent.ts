import { gitSettings } from "./call-git.ts";
import type { Budget, Clock, CodingEngine, Executor, Policy, PreviewHost } from "@tenrec/protocol";
import type { Bucket } from "@tenrec/vfs";
import type { CodingTools, NetworkOptions } from "@tenrec/tools";
import { Agent } from "agents";
import type { AgentConfig } from "./agent-config.ts";
import { CodingCapability } from "./coding-capability.ts";
import type { ModelFactory } from "./models.ts";
import { resolveModel } from "./models.ts";
import type { PriceTable } from "./prices.ts";
import { PRICES } from "./prices.ts";
import { secretValues } from "./redaction/secret-values.ts";
import type { Sessions } from "./sessions.ts";
import { systemClock } from "./system-clock.ts";
import type { Workspace } from "./workspace.ts";

/**
 * A coding agent in a Durable Object: one workspace, its tree of files, and its sessions. Subclass it, name a model, and
 * bind the class under its own name.
 *
 * Fields are read when they are needed, so they may use `this.env`, and a change counts from the next step on.
 */
export abstract class CodingAgent<Env extends Cloudflare.Env = Cloudflare.Env> extends Agent<Env> {
  /** The model for new turns, as `provider/name`: `anthropic/…`, `openai/…`, `openai-compatible/…`, `workers-ai/…`. */
  abstract model: string;

  /** What needs a person's approval. Default: `read` and `edit` are allowed, `execute` and `network` ask. */
  policy: Policy = {};

  /**
   * How long a question to a person waits, in milliseconds; then it counts as refused, the model is told so and the turn
   * goes on. Default: for ever.
   */
  approvalExpiry?: number;

  /** Caps. Default for a turn: 100 model calls and 5 US dollars. */
  budget: Budget = {};

  /**
   * How `web_fetch`, `curl` and the like reach the internet. Which hosts they may reach is in `policy`: with
   * `{ network: "deny", rules: [{ host: "*.example.com", verdict: "allow" }] }` those below `example.com` and no others.
   * Addresses that are not public are out of reach; `localHosts` names exceptions.
   */
  network: NetworkOptions = {};

  /** Where commands run that the isolate's own shell cannot run, cheapest first. */
  executors: readonly Executor[] = [];

  /** Another engine in place of the native loop, from the next turn on. */
  engine?: CodingEngine;

  /** Shows the app in the tree of a session, live. Default: nothing does. */
  previews?: PreviewHost;

  /**
   * More secrets that are neither stored nor shown, as names of variables or as values. Those of variables named `…_KEY`,
   * `…_TOKEN`, `…_SECRET`, `…_PASSWORD` and the like are known without it.
   */
  secrets: readonly string[] = [];

  /** Added to the system prompt of every step; changing it costs the provider's prompt cache. */
  instructions = "";

  /** More providers for `model`, by the word before the slash. */
  providers: Readonly<Record<string, ModelFactory<Env>>> = {};

  /** Prices by model, for the cost in `usage` events and for money caps. */
  prices: PriceTable = PRICES;

  /**
   * A bucket of R2 for the content of files above 4 MiB, some time after they were written; several agents may share it.
   * Default: everything stays in the object's own storage. Once files are in it, the agent needs it to read them.
   */
  bucket?: Bucket;

  readonly #coding: CodingCapability;

  /** `clock` is for tests: workerd gives the first two. */
  constructor(ctx: DurableObjectState, env: Env, clock: Clock = systemClock) {
    super(ctx, env);
    this.#coding = new CodingCapability(configOf(this, env, ctx.id.toString()), clock);
    this.lifecycle.use(this.#coding);
  }

  /** The conversations of this workspace, for code inside the object. */
  get sessions(): Sessions {
    return this.#coding.sessions;
  }

  /** What the sessions work on: journal, trees and configuration. */
  get workspace(): Workspace {
    return this.#coding.workspace;
  }

  /** What a previewed app may call, for the gateway that it is given; not for anybody else. */
  previewDoor(session: string, app: string): object {
    return this.#coding.previewDoor(session, app);
  }

  /** Adds, replaces or removes tools. Called for every call with tools that work on that call's own tree. */
  tools(base: CodingTools): CodingTools {
    return base;
  }
}

/** The agent's fields, read late: subclasses set theirs after this constructor has run. */
function configOf<Env extends Cloudflare.Env>(agent: CodingAgent<Env>, env: Env, id: string): AgentConfig {
  return {
    get model() {
      return agent.model;
    },
    get policy() {
      return agent.policy;
    },
    get approvalExpiry() {
      return agent.approvalExpiry;
    },
    get budget() {
      return agent.budget;
    },
    get network() {
      return agent.network;
    },
    get git() {
      return gitSettings(env);
    },
    get executors() {
      return agent.executors;
    },
    get engine() {
      return agent.engine;
    },
    get previews() {
      return agent.previews;
    },
    get secrets() {
      return secretValues(env, agent.secrets);
    },
    get instructions() {
      return agent.instructions;
    },
    get prices() {
      return agent.prices;
    },
    get bucket() {
      return agent.bucket && { bucket: agent.bucket, prefix: id };
    },
    tools: (base) => agent.tools(base),
    resolveModel: (model) => resolveModel(model, env, agent.providers),
  };
}
