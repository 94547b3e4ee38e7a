import type { GrepLine } from "@tenrec/protocol";
import type { Backtracker, GroupedMatch } from "../backtrack/backtracker.ts";
import type { Replaced } from "../command/line-printer.ts";

const REFERENCE = /\$(?:(\$)|\{([^}]+)\}|(\w+))/g;

/** `matchers` find the groups of a match; none are needed for a replacement without groups. */
export function replacer(replacement: string, matchers: () => readonly Backtracker[]): (line: GrepLine) => Replaced {
  const usesGroups = [...replacement.matchAll(REFERENCE)].some(([, dollar, a, b]) => !dollar && (a ?? b) !== "0");
  const trackers = usesGroups ? matchers() : [];
  return ({ text, spans = [] }) => {
    const replaced: [number, number][] = [];
    let out = "";
    let at = 0;
    for (const [start, end] of spans) {
      out += text.slice(at, start);
      const from = out.length;
      out += expand(replacement, text, start, end, trackers);
      replaced.push([from, out.length]);
      at = end;
    }
    return { text: out + text.slice(at), spans: replaced };
  };
}

function expand(
  replacement: string,
  text: string,
  start: number,
  end: number,
  trackers: readonly Backtracker[],
): string {
  let match: GroupedMatch | undefined;
  let names: ReadonlyMap<string, number> | undefined;
  for (const tracker of trackers) {
    const found = tracker.at(text, start);
    if (found?.end !== end) continue;
    match = found;
    names = tracker.names;
    break;
  }
  return replacement.replaceAll(REFERENCE, (_all, dollar?: string, braced?: string, plain?: string) => {
    if (dollar) return "$";
    const name = braced ?? plain ?? "";
    if (name === "0") return text.slice(start, end);
    const index = /^\d+$/.test(name) ? Number(name) : names?.get(name);
    const [from = -1, to = -1] = index === undefined ? [] : (match?.captures.slice(2 * index, 2 * index + 2) ?? []);
    return from < 0 ? "" : text.slice(from, to);
  });
}
