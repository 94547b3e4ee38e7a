import type { PermissionClass } from "./tool.ts";

export type Verdict = "allow" | "ask" | "deny";

/**
 * A rule names a tool, or the first words of a command in `bash`, never both. Each command of a line is judged by itself, by
 * the last rule that matches it, and the strictest verdict is that of the line. A word that is only known while the line
 * runs matches every rule that asks or denies, and none that allows.
 */
export type PolicyRule =
  | { readonly tool: string; readonly verdict: Verdict }
  | { readonly bash: string; readonly verdict: Verdict };

/**
 * A verdict for each permission class, and exceptions. A class that is left out takes its default:
 * `read` and `edit` are allowed, `execute` and `network` ask.
 */
export type Policy = { readonly [P in PermissionClass]?: Verdict } & { readonly rules?: readonly PolicyRule[] };

/** Caps; what is left out is not capped. `usd` counts only models whose price is known. */
export interface BudgetCaps {
  readonly usd?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  /** Model calls. */
  readonly steps?: number;
}

/** Caps per turn and per session. They are counted from the journal, so a recovery cannot spend past them. */
export interface Budget {
  readonly turn?: BudgetCaps;
  readonly session?: BudgetCaps;
}
