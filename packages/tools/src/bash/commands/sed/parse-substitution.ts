import { CommandError } from "../../../search/command/command-error.ts";
import { characterAt } from "./escapes.ts";
import { highestGroup, parseReplacement } from "./replacement.ts";
import type { ScriptCursor } from "./script-cursor.ts";
import { type SedAction, SedError, type Substitution } from "./sed-program.ts";
import { type PatternOptions, SedPattern } from "./sed-pattern.ts";

/** What is behind the `s`. */
export function parseSubstitution(cursor: ScriptCursor, extended: boolean): Substitution {
  const delimiter = cursor.take();
  const source = delimiter === "\n" || delimiter === "\\" ? undefined : cursor.until(delimiter, true);
  const right = source === undefined ? undefined : cursor.until(delimiter, false);
  if (source === undefined || right === undefined) return cursor.fail("unterminated `s' command");
  const flags = parseFlags(cursor);
  const pattern = compile(cursor, source, { extended, ignoreCase: flags.ignoreCase, lines: flags.lines });
  const replacement = parseReplacement(right);
  const highest = highestGroup(replacement);
  if (pattern && highest > pattern.groups) return cursor.fail(`invalid reference \\${highest} on \`s' command's RHS`);
  const { isGlobal, number, prints, file } = flags;
  return { name: "s", pattern, replacement, isGlobal, number, prints, file };
}

interface Flags {
  isGlobal: boolean;
  number: number;
  prints: number;
  ignoreCase: boolean;
  lines: boolean;
  file: string | undefined;
}

function parseFlags(cursor: ScriptCursor): Flags {
  const flags: Flags = { isGlobal: false, number: 1, prints: 0, ignoreCase: false, lines: false, file: undefined };
  for (;;) {
    const number = cursor.match(/\d+/)?.[0];
    if (number !== undefined) {
      flags.number = Number(number);
      if (flags.number === 0) cursor.fail("number option to `s' command may not be zero");
      continue;
    }
    const flag = cursor.match(/[gpiImMew]/)?.[0];
    if (flag === undefined) break;
    if (flag === "g") flags.isGlobal = true;
    else if (flag === "p") flags.prints++;
    else if (flag === "e") throw new SedError("the flag `e' is not supported here; run the command with $( ) or xargs");
    else if (flag === "w") {
      flags.file = fileName(cursor);
      break;
    } else if (flag.toLowerCase() === "i") flags.ignoreCase = true;
    else flags.lines = true;
  }
  if (!/^[\s;}#]?$/.test(cursor.peek())) {
    cursor.at++;
    cursor.fail("unknown option to `s'");
  }
  return flags;
}

/** The rest of the line. */
export function fileName(cursor: ScriptCursor): string {
  cursor.skipBlanks();
  const [name = ""] = cursor.match(/[^\n]*/) ?? [];
  return name === "" ? cursor.fail("missing filename in r/R/w/W commands") : name;
}

/** The pattern, or undefined for an empty one, which stands for the last that was used. */
export function compile(cursor: ScriptCursor, source: string, options: PatternOptions): SedPattern | undefined {
  if (source === "") return undefined;
  try {
    return new SedPattern(source, options);
  } catch (error) {
    if (error instanceof CommandError) return cursor.fail(error.message);
    throw error;
  }
}

/** What is behind the `y`. */
export function parseTransliteration(cursor: ScriptCursor): SedAction {
  const delimiter = cursor.take();
  const from = cursor.until(delimiter, false);
  const to = from === undefined ? undefined : cursor.until(delimiter, false);
  if (from === undefined || to === undefined) return cursor.fail("unterminated `y' command");
  const [left, right] = [characters(from), characters(to)];
  if (left.length !== right.length) return cursor.fail("strings for `y' command are different lengths");
  return { name: "y", map: new Map(left.map((char, at) => [char, right[at] ?? ""])) };
}

function characters(text: string): string[] {
  const chars: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const found = text.charAt(at) === "\\" ? characterAt(text, at + 1) : undefined;
    const isEscape = text.charAt(at) === "\\" && at + 1 < text.length;
    const char = found?.char ?? String.fromCodePoint(text.codePointAt(isEscape ? at + 1 : at) ?? 0);
    chars.push(char);
    at += (isEscape ? 1 : 0) + (found?.length ?? char.length) - 1;
  }
  return chars;
}
