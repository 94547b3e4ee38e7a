import type { AwkArray } from "./awk-array.ts";
import { type Code, numberCode } from "./code.ts";
import type { ExpressionCompiler } from "./compile-expression.ts";
import type { Machine } from "./machine.ts";
import { isPlace } from "./parse-expression.ts";
import type { Regex } from "./regex/regex.ts";
import { matchesIn, separatorSplitter, type Separated, splitAround, splitBlanks } from "./split-text.ts";
import { generalReplacementOf, type Replacement, replacementOf, Substitution } from "./substitute.ts";
import type { ArrayPlace, Node } from "./syntax.ts";
import { characterNumber } from "./text-functions.ts";
import { type Cell, toNumber, UserText } from "./values.ts";

const RECORD: Node = { kind: "field", index: { kind: "number", value: 0 } };

/** A call of `sub`, `gsub` or `gensub`, which may take more than one step. */
export interface SubstitutionCode {
  readonly start: () => Substitution;
  /** Writes what was made; the value of the call. */
  readonly finish: (substitution: Substitution) => Cell;
}

export function compileSubstitution(
  name: string,
  args: readonly Node[],
  machine: Machine,
  expressions: ExpressionCompiler,
): SubstitutionCode {
  const [pattern = RECORD, replacement = RECORD, third, fourth] = args;
  const regex = expressions.regex(pattern);
  const replacing = kept(
    expressions.compile(replacement).text,
    name === "gensub" ? generalReplacementOf : replacementOf,
  );
  if (name === "gensub") {
    const how = third ? expressions.compile(third).text : (): string => "1";
    const { text } = expressions.compile(fourth ?? RECORD);
    return {
      start: () => {
        const found = regex();
        const by = replacing();
        const which = how();
        return new Substitution(text(), found, by, /^[gG]/.test(which) ? 0 : Math.max(1, Math.trunc(toNumber(which))));
      },
      finish: (made) => made.text,
    };
  }
  const target = third?.kind === "group" ? third.inner : (third ?? RECORD);
  const place = isPlace(target) ? expressions.places.compile(target) : undefined;
  const { text } = place?.read ?? expressions.compile(target);
  const index = target.kind === "field" ? expressions.compile(target.index).number : undefined;
  return {
    start: () => {
      const found = regex();
      const by = replacing();
      if (index) machine.variables.record.reach(index());
      return new Substitution(text(), found, by, name === "gsub" ? 0 : 1);
    },
    finish: (made) => {
      if (made.count > 0) place?.write(made.text);
      return made.count;
    },
  };
}

/** Made anew only for another text. */
function kept(text: () => string, make: (text: string) => Replacement): () => Replacement {
  let last = "";
  let made = make(last);
  return () => {
    const now = text();
    if (now !== last) [last, made] = [now, make(now)];
    return made;
  };
}

/** `match`, which sets `RSTART` and `RLENGTH`, and the elements of an array. */
export function compileMatch(args: readonly Node[], machine: Machine, expressions: ExpressionCompiler): Code {
  const { variables } = machine;
  const [subject = RECORD, pattern = RECORD, groups] = args;
  const { text } = expressions.compile(subject);
  const regex = expressions.regex(pattern);
  const array = groups ? expressions.places.array(groups as ArrayPlace) : undefined;
  return numberCode(() => {
    const whole = text();
    const found = regex();
    machine.did(whole.length >> 3);
    const match = found.find(whole);
    const start = match ? characterNumber(whole, match.start) : 0;
    variables.set("RSTART", start);
    variables.set("RLENGTH", match ? characterNumber(whole, match.end) - start : -1);
    if (array) fillGroups(array(), whole, found, match, variables.keySeparator);
    return start;
  }, variables);
}

function fillGroups(
  array: AwkArray,
  text: string,
  regex: Regex,
  match: ReturnType<Regex["find"]>,
  separator: string,
): void {
  array.clear();
  if (!match) return;
  const captures = regex.captures(text, match);
  for (let group = 0; group <= regex.groups; group++) {
    const [start = -1, end = -1] = [captures[2 * group], captures[2 * group + 1]];
    if (start < 0 || end < 0) continue;
    const first = characterNumber(text, start);
    array.set(`${group}`, new UserText(text.slice(start, end)));
    array.set(`${group}${separator}start`, first);
    array.set(`${group}${separator}length`, characterNumber(text, end) - first);
  }
}

/** `split` and `patsplit`. */
export function compileSplit(
  name: string,
  args: readonly Node[],
  machine: Machine,
  expressions: ExpressionCompiler,
): Code {
  const { variables } = machine;
  const [subject = RECORD, target, separator, between] = args;
  const { text } = expressions.compile(subject);
  const array = expressions.places.array(target as ArrayPlace);
  const separators = between ? expressions.places.array(between as ArrayPlace) : undefined;
  const separate = name === "patsplit" ? patternParts(separator) : separatedParts(separator);
  return numberCode(() => {
    const whole = text();
    machine.did(whole.length >> 2);
    const { parts, separators: found } = separate(whole, separators !== undefined);
    const elements = array();
    const others = separators?.();
    elements.clear();
    others?.clear();
    for (const [at, part] of parts.entries()) elements.set(`${at + 1}`, new UserText(part));
    // Those of a pattern have one in front, those of blanks may have one there.
    const first = name === "patsplit" || found.length > parts.length ? 0 : 1;
    for (const [at, each] of found.entries()) others?.set(`${at + first}`, each);
    machine.did(parts.length * 2);
    return parts.length;
  }, variables);

  function patternParts(pattern: Node | undefined): (whole: string) => Separated {
    const regex = pattern
      ? expressions.regex(pattern)
      : (): Regex => variables.regexes.get(variables.text(variables.get("FPAT")), variables.ignoreCase);
    return (whole) => matchesIn(whole, regex());
  }

  function separatedParts(given: Node | undefined): (whole: string, wantsSeparators: boolean) => Separated {
    const isRegex = given?.kind === "regex";
    const regex = isRegex ? expressions.regex(given) : undefined;
    const own = given && !isRegex ? expressions.compile(given).text : undefined;
    return (whole, wantsSeparators) => {
      if (regex) return splitAround(whole, regex());
      const by = own ? own() : variables.fieldSeparator;
      if (!wantsSeparators)
        return { parts: separatorSplitter(by, variables.regexes, variables.ignoreCase, false)(whole), separators: [] };
      if (by === " ") return { parts: splitBlanks(whole), separators: blanksAround(whole) };
      if (by === "") return { parts: Array.from(whole), separators: [] };
      const source = /^[^\\]$/u.test(by) ? `[${by === "^" ? "\\^" : by}]` : by;
      return splitAround(whole, variables.regexes.get(source, variables.ignoreCase));
    };
  }
}

/** What is before, between and behind words. */
function blanksAround(text: string): string[] {
  return text.trim() === "" ? [] : text.split(/[^ \t\n]+/);
}
