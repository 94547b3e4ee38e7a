import type { Budget, CodingEngine, Executor, GitIdentity, Policy, PreviewHost } from "@tenrec/protocol";
import type { BucketOptions } from "@tenrec/vfs";
import type { GitCredentials } from "@tenrec/vfs/git";
import type { CodingTools, NetworkOptions } from "@tenrec/tools";
import type { LanguageModel } from "ai";
import { priceOf, type PriceTable } from "./prices.ts";

/** How commits are signed and which servers are open. Read when git is used first in a call. */
export interface GitSettings {
  /** Who commits where the repository does not say. */
  readonly author?: GitIdentity | undefined;
  readonly credentials?: GitCredentials | undefined;
}

/** What an agent class decides, as the loop reads it at each use: fields may change between turns. */
export interface AgentConfig {
  readonly model: string;
  readonly policy: Policy;
  readonly budget: Budget;
  /** How long an approval waits for its answer, in milliseconds; undefined for ever. */
  readonly approvalExpiry: number | undefined;
  readonly executors: readonly Executor[];
  readonly network: NetworkOptions;
  readonly git: GitSettings;
  readonly engine: CodingEngine | undefined;
  readonly previews: PreviewHost | undefined;
  readonly instructions: string;
  /** What must not be stored or shown, beside what looks like a secret; read once, when the object starts. */
  readonly secrets: readonly string[];
  readonly prices: PriceTable;
  /** Where large files go; read once, when the object starts. */
  readonly bucket: BucketOptions | undefined;
  tools(base: CodingTools): CodingTools;
  /** Throws `model-unknown` or `model-not-configured`. */
  resolveModel(model: string): Promise<LanguageModel>;
}

/** Caps of a turn where the agent sets none: enough for real work, and an end to a loop that got lost. */
const DEFAULT_TURN_CAPS: NonNullable<Budget["turn"]> = { steps: 100, usd: 5 };

/** The caps in force: the defaults under what the agent says. */
export function effectiveBudget(budget: Budget): Budget {
  return { ...budget, turn: { ...DEFAULT_TURN_CAPS, ...budget.turn } };
}

/**
 * Why a turn cannot begin: the agent itself caps money, and what this model costs is not known. Undefined when it can. The
 * default cap in dollars does not count here; the one in steps holds.
 */
export function uncountable(
  { budget, prices }: Pick<AgentConfig, "budget" | "prices">,
  model: string,
): string | undefined {
  const scopes = ["turn", "session", "workspace"] as const;
  const scope = scopes.find((each) => budget[each]?.usd !== undefined);
  if (scope === undefined || priceOf(prices, model)) return undefined;
  const cap = `the cap of $${budget[scope]?.usd} for the ${scope}`;
  const advice = "Add one to the agent's prices, of 0 for a free model, or cap tokens or steps instead.";
  return `Stopped: ${cap} cannot be kept, since no price of ${model} is known. ${advice}`;
}
