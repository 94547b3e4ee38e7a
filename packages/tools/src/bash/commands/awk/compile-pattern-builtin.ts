import type { AwkArray } from "./awk-array.ts";
import { type Code, numberCode } from "./code.ts";
import type { ExpressionCompiler } from "./compile-expression.ts";
import type { Machine } from "./machine.ts";
import { isPlace } from "./parse-expression.ts";
import type { Span } from "./regex/automaton.ts";
import type { Regex } from "./regex/regex.ts";
import {
  type InPieces,
  matchesIn,
  plainSplitter,
  regexOfSeparator,
  type Separated,
  splitAround,
  splitBlanks,
} from "./split-text.ts";
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
    const search = found.search(whole);
    const match = search.find(0);
    machine.did(search.work >> 3);
    const start = match ? characterNumber(whole, match.start) : 0;
    variables.set("RSTART", start);
    variables.set("RLENGTH", match ? characterNumber(whole, match.end) - start : -1);
    if (array) fillGroups(array(), whole, found, match, variables.keySeparator);
    return start;
  }, variables);
}

function fillGroups(array: AwkArray, text: string, regex: Regex, match: Span | undefined, separator: string): void {
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

/** Elements that are set at a time. */
const PIECE_ELEMENTS = 5000;

/** `split` and `patsplit`, which give the number of elements. */
export function compileSplit(
  name: string,
  args: readonly Node[],
  machine: Machine,
  expressions: ExpressionCompiler,
): () => InPieces<number> {
  const { variables } = machine;
  const [subject = RECORD, target, separator, between] = args;
  const { text } = expressions.compile(subject);
  const array = expressions.places.array(target as ArrayPlace);
  const separators = between ? expressions.places.array(between as ArrayPlace) : undefined;
  const separate = name === "patsplit" ? patternParts(separator) : separatedParts(separator);
  return function* split() {
    const whole = text();
    yield whole.length >> 2;
    const { parts, separators: found } = yield* separate(whole, separators !== undefined);
    const elements = array();
    const others = separators?.();
    elements.clear();
    others?.clear();
    for (const [at, part] of parts.entries()) {
      elements.set(`${at + 1}`, new UserText(part));
      if (at % PIECE_ELEMENTS === PIECE_ELEMENTS - 1) yield 2 * PIECE_ELEMENTS;
    }
    // Those of a pattern have one in front, those of blanks may have one there.
    const first = name === "patsplit" || found.length > parts.length ? 0 : 1;
    if (!others) return parts.length;
    for (const [at, each] of found.entries()) {
      others.set(`${at + first}`, each);
      if (at % PIECE_ELEMENTS === PIECE_ELEMENTS - 1) yield 2 * PIECE_ELEMENTS;
    }
    return parts.length;
  };

  function patternParts(pattern: Node | undefined): (whole: string) => InPieces<Separated> {
    const regex = pattern
      ? expressions.regex(pattern)
      : (): Regex => variables.regexes.get(variables.text(variables.get("FPAT")), variables.ignoreCase);
    return (whole) => matchesIn(whole, regex());
  }

  function separatedParts(given: Node | undefined): (whole: string, wantsSeparators: boolean) => InPieces<Separated> {
    const isRegex = given?.kind === "regex";
    const regex = isRegex ? expressions.regex(given) : undefined;
    const own = given && !isRegex ? expressions.compile(given).text : undefined;
    return function* parts(whole, wantsSeparators) {
      if (regex) return yield* splitAround(whole, regex());
      const by = own ? own() : variables.fieldSeparator;
      const { regexes, ignoreCase } = variables;
      const source = regexOfSeparator(by, wantsSeparators);
      if (source !== undefined) return yield* splitAround(whole, regexes.get(source, ignoreCase));
      if (wantsSeparators && by === " ") return { parts: splitBlanks(whole), separators: blanksAround(whole) };
      return { parts: plainSplitter(by)(whole), separators: [] };
    };
  }
}

/** What is before, between and behind words. */
function blanksAround(text: string): string[] {
  return text.trim() === "" ? [] : text.split(/[^ \t\n]+/);
}
