import type { GlobRule } from "./glob-rule.ts";

interface Ranked extends GlobRule {
  readonly rank: number;
}

/** Rules in their order, of which the last one that matches counts. Only those that may match a name are asked. */
export class RuleSet {
  readonly #byName = new Map<string, Ranked[]>();
  readonly #byExtension = new Map<string, Ranked[]>();
  readonly #others: Ranked[] = [];
  readonly size: number;

  constructor(rules: readonly GlobRule[]) {
    this.size = rules.length;
    for (const [rank, rule] of rules.entries()) {
      const ranked: Ranked = { ...rule, rank };
      if (rule.plainName !== undefined) append(this.#byName, rule.plainName, ranked);
      else if (rule.extension !== undefined) append(this.#byExtension, rule.extension, ranked);
      else this.#others.push(ranked);
    }
  }

  /** The last rule that matches; `undefined` when none does. `path` is relative to where the rules stand. */
  lastMatch(path: string, name: string, isDirectory: boolean): GlobRule | undefined {
    let found: Ranked | undefined;
    const ask = (rules: readonly Ranked[] | undefined): void => {
      for (let at = (rules?.length ?? 0) - 1; rules && at >= 0; at--) {
        const rule = rules[at];
        if (!rule || (found && rule.rank < found.rank)) return;
        if ((isDirectory || !rule.directoryOnly) && rule.matches(path, name)) {
          found = rule;
          return;
        }
      }
    };
    if (this.#byName.size > 0) ask(this.#byName.get(name));
    if (this.#byExtension.size > 0) {
      const dot = name.lastIndexOf(".");
      if (dot !== -1) ask(this.#byExtension.get(name.slice(dot)));
    }
    if (this.#others.length > 0) ask(this.#others);
    return found;
  }
}

function append(map: Map<string, Ranked[]>, key: string, rule: Ranked): void {
  const known = map.get(key);
  if (known) known.push(rule);
  else map.set(key, [rule]);
}
