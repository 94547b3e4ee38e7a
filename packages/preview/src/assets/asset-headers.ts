import { fillIn, matchRule } from "./match-rule.ts";

export interface HeaderRule {
  /** A path, or a URL, of which the host is matched too. */
  readonly pattern: string;
  readonly set: readonly (readonly [name: string, value: string])[];
  readonly unset: readonly string[];
}

/** As many as a deployed Worker may have. */
const MOST_RULES = 100;

/** The rules of a `_headers` file: a pattern in a line of its own, and indented below it `Name: value` or `! Name`. */
export function parseHeaders(text: string): HeaderRule[] {
  const rules: { pattern: string; set: [string, string][]; unset: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    if (/^(\/|https:\/\/)/.test(content)) {
      if (rules.length === MOST_RULES) break;
      rules.push({ pattern: content, set: [], unset: [] });
      continue;
    }
    const rule = rules.at(-1);
    const colon = content.indexOf(":");
    const name = (content.startsWith("!") ? content.slice(1) : content.slice(0, colon)).trim().toLowerCase();
    if (!rule || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue;
    if (content.startsWith("!")) rule.unset.push(name);
    else if (colon !== -1) rule.set.push([name, content.slice(colon + 1).trim()]);
  }
  return rules;
}

/** Changes headers as the rules that fit a URL say; what several of them set is joined. */
export function applyHeaders(rules: readonly HeaderRule[], url: URL, headers: Headers): void {
  const already = new Set<string>();
  for (const { pattern, set, unset } of rules) {
    const isUrl = pattern.startsWith("https://");
    const found = isUrl
      ? matchRule(pattern.slice("https://".length), url.host + url.pathname)
      : matchRule(pattern, url.pathname);
    if (!found) continue;
    for (const name of unset) headers.delete(name);
    for (const [name, value] of set) {
      const text = fillIn(value, found);
      if (already.has(name)) headers.append(name, text);
      else headers.set(name, text);
      already.add(name);
    }
  }
}
