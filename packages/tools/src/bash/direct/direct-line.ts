import type { ParsedLine } from "../parse-line.ts";
import type { ShellCommand } from "../shell-command.ts";
import type { Statement } from "../syntax-nodes.ts";
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
 * everything is known. The codes are those of its lines, as they were typed: an error ends one, and not the next.
 */
export type DirectLine = readonly Code[];

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
    const scope: Scope = {
      commands,
      bundled,
      functions,
      loops: 0,
      isInFunction: false,
      sharesInput: false,
      depth: 0,
      compile: COMPILERS,
    };
    return linesOf(script.statements).map((statements: readonly Statement[]) => compileList(statements, scope));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Of `$'…'`, which may be a part of a character: just-bash makes a character of each. */
function hasByteEscapes(text: string): boolean {
  return text.includes("$'") && /\$'(?:[^'\\]|\\[^])*?\\(?:x[89a-fA-F]|[23][0-7][0-7]|c)/.test(text);
}
