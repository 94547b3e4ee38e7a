import type { Check } from "./check.ts";

/** An app of the zoo: where it is, and what it must answer. */
export interface ZooApp {
  /** That of its folder in `apps`, unless it is a template. */
  readonly name: string;
  /** A folder of the templates of `create-cloudflare`. */
  readonly template?: string;
  /** Files that the template's generator makes, by path. */
  readonly generated?: Readonly<Record<string, string>>;
  /** What a person does before `wrangler dev`: commands of installed packages. */
  readonly before?: readonly (readonly string[])[];
  readonly checks: readonly Check[];
}
