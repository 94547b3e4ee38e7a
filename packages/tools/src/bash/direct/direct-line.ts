import type { ParsedLine } from "../parse-line.ts";
import type { ShellCommand } from "../shell-command.ts";
import { compileList } from "./compile-list.ts";
import { compileSubstitution } from "./compile-substitution.ts";
import { compileText } from "./compile-word.ts";
import { compileParameter } from "./expand-parameter.ts";
import { functionNames } from "./function-names.ts";
import { linesOf } from "./script-lines.ts";
import { type Compilers, Refusal, type Scope } from "./scope.ts";
import type { Code } from "./shell-state.ts";

/**
 * A command line that runs without just-bash: all of its commands are ours, and of what is expanded, redirected and repeated
 * everything is known. Its codes are those of the lines that were typed: an error ends one, and not the next.
 */
export interface DirectLine {
  readonly codes: readonly Code[];
  /** The commands of just-bash that it calls; undefined when that may be any. */
  readonly called: ReadonlySet<string | undefined> | undefined;
}

/** Longer ones are left to just-bash, which counts what it does. */
const MAX_LENGTH = 256 * 1024;

const COMPILERS: Compilers = {
  list: compileList,
  text: compileText,
  substitution: compileSubstitution,
  parameter: compileParameter,
};

/** The line, if it is such a one. */
export function directLine(
  line: ParsedLine,
  commands: readonly ShellCommand[],
  bundled: ReadonlySet<string> = new Set(),
): DirectLine | undefined {
  const { script, text } = line;
  if (!script || text.length > MAX_LENGTH || hasByteEscapes(text)) return undefined;
  try {
    const functions = functionNames(text, script);
    const called = new Set<string | undefined>();
    const place = { loops: 0, isInFunction: false, sharesInput: false, depth: 0 };
    const scope: Scope = { commands, bundled, called, functions, ...place, compile: COMPILERS };
    const codes = (text.includes("\n") ? linesOf(script.statements) : [script.statements]).map((statements) =>
      compileList(statements, scope),
    );
    return { codes, called: called.has(undefined) ? undefined : called };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Of `$'…'`, which may be a part of a character: just-bash makes a character of each. */
function hasByteEscapes(text: string): boolean {
  return text.includes("$'") && /\$'(?:[^'\\]|\\[^])*?\\(?:x[89a-fA-F]|[23][0-7][0-7]|c)/.test(text);
}
