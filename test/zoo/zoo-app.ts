import type { Check } from "./check.ts";

/** An app of the zoo: where it is, and what it must answer. */
export interface ZooApp {
  readonly name: string;
  /** A folder of `apps`; default: the name. */
  readonly folder?: string;
  /** A folder of the templates of `create-cloudflare`, in place of one of `apps`. */
  readonly template?: string;
  /** What a person does before `wrangler dev`: commands of installed packages. */
  readonly before?: readonly (readonly string[])[];
  readonly checks: readonly Check[];
}
