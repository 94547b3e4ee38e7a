import {
  type AccessEnv,
  type Budget,
  CodingAgent,
  type ModelEnv,
  type ModelFactory,
  type NetworkOptions,
  type Policy,
  PRICES,
  type PriceTable,
  routeAgents,
} from "@tenrec/runtime";
import { parseScript, scriptedModel } from "@tenrec/testkit";
import { PERMISSIONS } from "../permission.ts";
import { type NameService, nameResolver } from "./name-resolver.ts";
import { turnCaps } from "./turn-caps.ts";
import { parseWorkerOptions, type WorkerOptions } from "./worker-options.ts";

type Env = Cloudflare.Env &
  AccessEnv &
  ModelEnv & { readonly TENREC_OPTIONS?: string; readonly TENREC_NAMES?: NameService };

const FREE = { input: 0, cachedInput: 0, output: 0 };

/** The agent of `tenrec run` and `tenrec dev`: whatever the command line said. */
export class Coder extends CodingAgent<Env> {
  readonly #options: WorkerOptions = parseWorkerOptions(this.env.TENREC_OPTIONS);
  model: string = this.#options.model;
  override policy: Policy = PERMISSIONS[this.#options.permission];
  override budget: Budget = { turn: turnCaps(this.#options) };
  // What a script says costs nothing, so a cap in dollars can be kept.
  override prices: PriceTable = { ...PRICES, ...(this.#options.script ? { [this.model]: FREE } : {}) };
  override network: NetworkOptions = { resolve: nameResolver(this.env.TENREC_NAMES) };
  override instructions: string = this.#options.instructions ?? "";
  override providers: Readonly<Record<string, ModelFactory<Env>>> = {
    scripted: () => scriptedModel(parseScript(this.#options.script)),
  };
}

export default { fetch: routeAgents<Env>({ Coder }) } satisfies ExportedHandler<Env>;
