import type { Budget, CodingEngine, Executor, Policy } from "@tenrec/protocol";
import type { BucketOptions } from "@tenrec/vfs";
import type { CodingTools } from "@tenrec/tools";
import type { LanguageModel } from "ai";
import type { PriceTable } from "./prices.ts";

/** What an agent class decides, as the loop reads it at each use: fields may change between turns. */
export interface AgentConfig {
  readonly model: string;
  readonly policy: Policy;
  readonly budget: Budget;
  readonly executors: readonly Executor[];
  readonly engine: CodingEngine | undefined;
  readonly instructions: string;
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
