import { AwkError } from "./awk-error.ts";

/** How awk was called. */
export interface AwkCall {
  /** Programs and files of them, in their order. */
  readonly sources: readonly { readonly kind: "text" | "file"; readonly value: string }[];
  readonly assignments: readonly string[];
  readonly fieldSeparator: string | undefined;
  /** Files are rewritten with what is printed while they are read. */
  readonly inPlace: boolean;
  readonly asksVersion: boolean;
  readonly operands: readonly string[];
}

const WITH_VALUE = "fFveEi";
/** About warnings, profiles and numbers that are as long as they are here anyway. */
const WITHOUT_EFFECT = new Set([
  "g",
  "I",
  "N",
  "O",
  "r",
  "s",
  "t",
  "L",
  "optimize",
  "re-interval",
  "no-optimize",
  "gen-pot",
  "lint",
  "use-lc-numeric",
]);
const LONG: Readonly<Record<string, string>> = {
  "field-separator": "F",
  assign: "v",
  file: "f",
  source: "e",
  exec: "E",
  include: "i",
  version: "V",
};
const REFUSED: Readonly<Record<string, string>> = {
  b: "write the program for text",
  "characters-as-bytes": "write the program for text",
  P: "leave it out; GNU awk's language is here",
  posix: "leave it out; GNU awk's language is here",
  c: "leave it out; GNU awk's language is here",
  traditional: "leave it out; GNU awk's language is here",
  n: "use strtonum()",
  "non-decimal-data": "use strtonum()",
  M: "numbers are those of C's double here",
  bignum: "numbers are those of C's double here",
  S: "leave it out",
  sandbox: "leave it out",
  d: "print what you need",
  "dump-variables": "print what you need",
  D: "print what you need",
  debug: "print what you need",
  o: "read the program itself",
  "pretty-print": "read the program itself",
  p: "read the program itself",
  profile: "read the program itself",
  l: "there are no extensions here",
  load: "there are no extensions here",
  h: "the program and files are AWK 'program' [file ...]",
  help: "the program and files are AWK 'program' [file ...]",
  C: "leave it out",
  W: "leave it out",
  csv: 'set FPAT = "([^,]*)|(\\"[^\\"]+\\")"',
  k: 'set FPAT = "([^,]*)|(\\"[^\\"]+\\")"',
};

/** Splits the arguments; `AwkError` where that cannot be done. */
export function parseCall(args: readonly string[]): AwkCall {
  const sources: { kind: "text" | "file"; value: string }[] = [];
  const assignments: string[] = [];
  let fieldSeparator: string | undefined;
  let [inPlace, asksVersion, isEnd] = [false, false, false];
  const rest = [...args];
  const take = (name: string, value: string): void => {
    if (name === "F") fieldSeparator = value;
    else if (name === "v") assignments.push(value);
    else if (name === "f" || name === "E") {
      sources.push({ kind: "file", value });
      isEnd ||= name === "E";
    } else if (name === "e") sources.push({ kind: "text", value });
    else if (name === "i") inPlace = includes(value);
    else if (name === "V") asksVersion = true;
  };
  while (/^-./.test(rest[0] ?? "") && !isEnd) {
    const arg = rest.shift() ?? "";
    if (arg === "--") break;
    if (arg.startsWith("--")) takeLong(arg.slice(2), rest, take);
    else takeShort(arg.slice(1), rest, take);
  }
  if (sources.length === 0 && !asksVersion) {
    const program = rest.shift();
    if (program === undefined) throw new AwkError("no program; call it as awk [OPTION]... 'PROGRAM' [FILE]...", 1);
    sources.push({ kind: "text", value: program });
  }
  return { sources, assignments, fieldSeparator, inPlace, asksVersion, operands: rest };
}

function includes(value: string): boolean {
  if (value === "inplace" || value === "inplace.awk") return true;
  throw new AwkError(`-i ${value} is not supported; give the file with -f`);
}

function refuse(option: string): never {
  const why = Object.hasOwn(REFUSED, option) ? REFUSED[option] : undefined;
  const shown = option.length === 1 ? `-${option}` : `--${option}`;
  throw new AwkError(why === undefined ? `${shown}: there is no such option` : `${shown} is not supported; ${why}`);
}

type Take = (name: string, value: string) => void;

function takeLong(option: string, rest: string[], take: Take): void {
  const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
  const letter = Object.hasOwn(LONG, name) ? LONG[name] : undefined;
  if (letter === undefined) {
    if (!WITHOUT_EFFECT.has(name)) refuse(name);
    return;
  }
  if (letter === "V") take("V", "");
  else take(letter, value ?? needed(rest.shift(), `--${name}`));
}

function takeShort(letters: string, rest: string[], take: Take): void {
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charAt(at);
    if (WITH_VALUE.includes(letter)) {
      take(letter, letters.slice(at + 1) || needed(rest.shift(), `-${letter}`));
      return;
    }
    if (letter === "V") take("V", "");
    else if (!WITHOUT_EFFECT.has(letter)) refuse(letter);
  }
}

function needed(value: string | undefined, option: string): string {
  if (value === undefined) throw new AwkError(`option requires an argument -- ${option}`);
  return value;
}
