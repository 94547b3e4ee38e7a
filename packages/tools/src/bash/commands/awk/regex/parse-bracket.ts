import { escapeAt } from "../byte-text.ts";

export type CharTest = (char: string) => boolean;

const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /^[\p{Alphabetic}\p{Nd}]/u,
  alpha: /^\p{Alphabetic}/u,
  blank: /^[\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/u,
  cntrl: /^[\p{Cc}\u2028\u2029]/u,
  digit: /^[0-9]/,
  graph: /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Co}\p{Cf}]/u,
  lower: /^\p{Lowercase}/u,
  print: /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Co}\p{Cf}]/u,
  punct: /^[\p{P}\p{S}]/u,
  space: /^[\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/u,
  upper: /^\p{Uppercase}/u,
  xdigit: /^[0-9A-Fa-f]/,
};

const WORDS = /^[\p{Alphabetic}\p{M}\p{Nd}_]/u;
export const WORD: CharTest = (char) => WORDS.test(char);
export const SPACE: CharTest = (char) => NAMED["space"]?.test(char) === true;

export interface Bracket {
  readonly test: CharTest;
  readonly end: number;
  readonly problem?: string;
}

const UNMATCHED = "Unmatched [, [^, [:, [., or [=";
type Range = readonly [first: number, last: number];

/** What is behind a `[` at `at`, where a backslash has its meaning, unlike in other programs. */
export function parseBracket(source: string, from: number, fold: boolean): Bracket {
  const negated = source[from] === "^";
  const start = negated ? from + 1 : from;
  const ranges: Range[] = [];
  const sets: RegExp[] = [];
  let at = start;
  while (source[at] !== "]" || at === start) {
    const member = memberAt(source, at, fold);
    if (member.problem !== undefined) return failed(member.problem);
    at = member.end;
    if (member.set) {
      sets.push(member.set);
      continue;
    }
    let last = member.char;
    if (source[at] === "-" && source[at + 1] !== "]" && at + 1 < source.length) {
      const other = memberAt(source, at + 1, fold);
      if (other.problem !== undefined) return failed(other.problem);
      if (other.set) return failed("Invalid range end");
      last = other.char;
      at = other.end;
    }
    const range: Range = [member.char.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
    if (range[0] > range[1]) return failed("Invalid range end");
    ranges.push(range);
  }
  return { test: testOf(ranges, sets, negated, fold), end: at + 1 };
}

function failed(problem: string): Bracket {
  return { test: () => false, end: 0, problem };
}

function testOf(ranges: readonly Range[], sets: readonly RegExp[], negated: boolean, fold: boolean): CharTest {
  const has = (char: string): boolean => {
    const code = char.codePointAt(0) ?? 0;
    return ranges.some(([first, last]) => code >= first && code <= last) || sets.some((set) => set.test(char));
  };
  if (!fold) return (char) => has(char) !== negated;
  return (char) => (has(char) || has(char.toLowerCase()) || has(char.toUpperCase())) !== negated;
}

interface Member {
  readonly char: string;
  readonly set?: RegExp;
  readonly end: number;
  readonly problem?: string;
}

function memberAt(source: string, at: number, fold: boolean): Member {
  const char = charAt(source, at);
  if (char === "") return { char, end: at, problem: UNMATCHED };
  if (char === "\\" && at + 1 < source.length) {
    const found = escapeAt(source, at + 1);
    const plain = charAt(source, at + 1);
    return { char: found?.char ?? plain, end: at + 1 + (found?.length ?? plain.length) };
  }
  const kind = source[at + 1] ?? "";
  if (char !== "[" || kind === "" || !":.=".includes(kind)) return { char, end: at + char.length };
  const close = source.indexOf(`${kind}]`, at + 2);
  if (close === -1) return kind === ":" ? { char, end: at + 1 } : { char, end: at, problem: UNMATCHED };
  return { ...named(kind, source.slice(at + 2, close), fold), end: close + 2 };
}

/** What is in `[: :]`, `[. .]` and `[= =]`. */
function named(kind: string, name: string, fold: boolean): Omit<Member, "end"> {
  if (kind !== ":")
    return charAt(name, 0) === name ? { char: name } : { char: "", problem: "Invalid collation character" };
  const isCase = fold && /^(?:upper|lower)$/.test(name);
  const set = Object.hasOwn(NAMED, name) ? NAMED[isCase ? "alpha" : name] : undefined;
  return set ? { char: "", set } : { char: "", problem: "Invalid character class name" };
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
