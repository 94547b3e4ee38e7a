import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "./play-check.ts";

/** What is wrong with the outcomes of one check: on each host, and where that of a host is not that of the first. */
export function compareOutcomes(outcomes: readonly { readonly host: string; readonly outcome: Outcome }[]): string[] {
  const wrong = outcomes.flatMap(({ host, outcome }) => outcome.wrong.map((text) => `${host}: ${text}`));
  const [first, ...others] = outcomes;
  const differing = others.flatMap((other) => (first ? differences(first, other) : []));
  return [...wrong, ...differing];
}

interface Of {
  readonly host: string;
  readonly outcome: Outcome;
}

function differences(one: Of, other: Of): string[] {
  const [a, b] = [one.outcome.record, other.outcome.record];
  if (isDeepStrictEqual(a, b)) return [];
  const only = (lines: readonly string[], others: readonly string[], host: string): string[] =>
    lines.filter((line) => !others.includes(line)).map((line) => `only in ${host}: ${line.slice(0, MOST_SHOWN)}`);
  const lines = [...only(a, b, one.host), ...only(b, a, other.host)];
  return lines.length > 0 ? lines : [`the same lines in ${one.host} and ${other.host}, in another order`];
}

const MOST_SHOWN = 600;
