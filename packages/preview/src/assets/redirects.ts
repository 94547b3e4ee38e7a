import { fillIn, matchRule } from "./match-rule.ts";

export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

const STATUSES = new Set([200, 301, 302, 303, 307, 308]);

/** As many as a deployed Worker may have. */
const MOST_RULES = 2100;

/** The rules of a `_redirects` file. Lines that are none are left out; of two for the same path, the first counts. */
export function parseRedirects(text: string): Redirect[] {
  const rules: Redirect[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [from = "", to = "", code = "302"] = line.trim().split(/\s+/);
    const status = Number(code);
    if (!from.startsWith("/") || !/^(\/|https?:\/\/)/.test(to) || !STATUSES.has(status)) continue;
    // A path is shown in place of another one; what is elsewhere cannot be.
    if (status === 200 && !to.startsWith("/")) continue;
    if (rules.length < MOST_RULES) rules.push({ from, to, status });
  }
  return rules;
}

/** Where the first rule that fits sends a path: those without a pattern before all others. */
export function findRedirect(rules: readonly Redirect[], path: string): { to: string; status: number } | undefined {
  const isStatic = ({ from }: Redirect): boolean => !/[*:]/.test(from);
  const exact = rules.find((rule) => isStatic(rule) && rule.from === path);
  if (exact) return exact;
  for (const rule of rules) {
    const found = isStatic(rule) ? undefined : matchRule(rule.from, path);
    if (found) return { to: plainPath(fillIn(rule.to, found)), status: rule.status };
  }
  return undefined;
}

/** What was filled in may begin or end with a slash. */
function plainPath(to: string): string {
  return to.startsWith("/") ? to.replaceAll(/\/+/g, "/") : to;
}
