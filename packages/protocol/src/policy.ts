import type { PermissionClass } from "./tool.ts";

export type Verdict = "allow" | "ask" | "deny";

/**
 * A rule names a tool, or the first words of a command in `bash`, or a host; one of them. Each command of a line is judged by
 * itself, by the last rule that matches it, and the strictest verdict is that of the line. A word that is only known while
 * the line runs matches every rule that asks or denies, and none that allows.
 *
 * A host is `example.com`, `*.example.com` for all names below it, or `*`; with `:8080` for that port alone. Without a port,
 * what allows counts for the ports of http and https, what asks or denies for all. Addresses that are not public are out of
 * reach whatever a rule says.
 */
export type PolicyRule =
  | { readonly tool: string; readonly verdict: Verdict }
  | { readonly bash: string; readonly verdict: Verdict }
  | { readonly host: string; readonly verdict: Verdict };

/**
 * A verdict for each permission class, and exceptions. A class that is left out takes its default:
 * `read` and `edit` are allowed, `execute` and `network` ask.
 */
export type Policy = { readonly [P in PermissionClass]?: Verdict } & { readonly rules?: readonly PolicyRule[] };

/** Caps; what is left out is not capped. With `usd` set, a turn on a model whose price is not known does not begin. */
export interface BudgetCaps {
  readonly usd?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  /** Model calls. */
  readonly steps?: number;
  /** Dynamic Workers of previews, each once a day. One more is not loaded; the turn goes on. Not counted by turn. */
  readonly workers?: number;
}

/** Caps per turn, session and workspace. What counts is durable before it matters, so a recovery cannot spend past them. */
export interface Budget {
  readonly turn?: BudgetCaps;
  readonly session?: BudgetCaps;
  /** All sessions together, also those that were deleted. */
  readonly workspace?: BudgetCaps;
}

/** What model calls and Dynamic Workers used, as far as it is known: `usd` only where the model's price is. */
export interface Spent {
  readonly usd: number;
  /** Input and output tokens together. */
  readonly tokens: number;
  /** Model calls. */
  readonly steps: number;
  /** Dynamic Workers, each once a day; absent where there were none. */
  readonly workers?: number;
}

/** What counts against the caps of each scope; `turn` is that of the turn under way. */
export interface SpentByScope {
  readonly turn?: Spent;
  readonly session: Spent;
  readonly workspace: Spent;
}
