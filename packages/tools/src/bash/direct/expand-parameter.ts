import type { Word } from "../syntax-nodes.ts";
import { compileArithmetic } from "./arithmetic.ts";
import { compilePattern, compileReplacement, compileText } from "./compile-word.ts";
import { discardLine, endUnset } from "./endings.ts";
import type { ParameterPart } from "./nodes.ts";
import { charsOf } from "./pattern.ts";
import { refuse, type Scope, type Text } from "./scope.ts";
import type { Shell } from "./shell-state.ts";
import { replacePattern, withoutPrefix, withoutSuffix } from "./trim-pattern.ts";
import { isKnownParameter, isPlainName, setVariable, valueOf } from "./variables.ts";

type Operation = NonNullable<ParameterPart["operation"]>;
type OperationOf<Type extends Operation["type"]> = Extract<Operation, { type: Type }>;

/** `$name` and `${name…}`. All arguments at once are for the caller, except for `"$*"`. */
export function compileParameter({ parameter, operation }: ParameterPart, isQuoted: boolean, scope: Scope): Text {
  if (parameter === "*" && !operation) return async (shell) => shell.args.join(separator(shell));
  if (!isKnownParameter(parameter)) refuse(`the parameter ${parameter}`);
  if (!operation) return async (shell) => boundValue(shell, parameter);
  switch (operation.type) {
    case "DefaultValue":
    case "AssignDefault":
    case "UseAlternative":
      return compileDefault(parameter, operation, isQuoted, scope);
    case "ErrorIfUnset":
      return compileError(parameter, operation, scope);
    case "Length":
      return async (shell) => String(charsOf(boundValue(shell, parameter)).length);
    case "Substring":
      return compileSubstring(parameter, operation, scope);
    case "PatternRemoval":
      return compileRemoval(parameter, operation, scope);
    case "PatternReplacement":
      return compileReplacing(parameter, operation, scope);
    case "CaseModification":
      return compileCase(parameter, operation);
    default:
      return refuse(operation.type);
  }
}

/** What is between the arguments in `"$*"`. */
function separator(shell: Shell): string {
  return (shell.env.get("IFS") ?? " ").charAt(0);
}

/** The value; with `set -u` the shell ends where there is none. */
function boundValue(shell: Shell, name: string): string {
  const value = valueOf(shell, name);
  if (value === undefined && shell.options.nounset)
    throw endUnset(shell, `${/^\d/.test(name) ? "$" : ""}${name}: unbound variable`);
  return value ?? "";
}

function compileDefault(
  name: string,
  operation: OperationOf<"DefaultValue" | "AssignDefault" | "UseAlternative">,
  isQuoted: boolean,
  scope: Scope,
): Text {
  const { type, checkEmpty, word } = operation;
  const text = operandText(word, isQuoted, scope);
  if (type === "AssignDefault" && !isPlainName(name)) refuse("an assignment to a parameter");
  return async (shell) => {
    const value = valueOf(shell, name);
    const isThere = value !== undefined && !(checkEmpty && value === "");
    if (type === "UseAlternative") return isThere ? text(shell) : "";
    if (isThere) return value;
    const given = await text(shell);
    if (type === "AssignDefault") setVariable(shell, name, given);
    return given;
  };
}

/** Quotes within it mean something else than around it, where the whole is split or quoted. */
function operandText(word: Word, isQuoted: boolean, scope: Scope): Text {
  const isPlain = word.parts.every(({ type }) => (isQuoted ? type !== "SingleQuoted" : !/Quoted|Escaped/.test(type)));
  if (!isPlain) refuse("quotes in a default");
  return compileText(word, scope);
}

function compileError(name: string, { word, checkEmpty }: OperationOf<"ErrorIfUnset">, scope: Scope): Text {
  const text = word && word.parts.length > 0 ? compileText(word, scope) : undefined;
  return async (shell) => {
    const value = valueOf(shell, name);
    if (value !== undefined && !(checkEmpty && value === "")) return value;
    const problem = text ? await text(shell) : checkEmpty ? "parameter null or not set" : "parameter not set";
    throw endUnset(shell, `${name}: ${problem}`);
  };
}

function compileSubstring(name: string, operation: OperationOf<"Substring">, scope: Scope): Text {
  const offset = compileArithmetic(operation.offset, scope);
  const length = operation.length ? compileArithmetic(operation.length, scope) : undefined;
  return async (shell) => {
    const chars = charsOf(boundValue(shell, name));
    if (valueOf(shell, name) === undefined) return "";
    const total = BigInt(chars.length);
    const given = await offset(shell);
    const start = given < 0n ? given + total : given;
    const count = await length?.(shell);
    if (start < 0n || start > total) return "";
    const end = count === undefined ? total : count < 0n ? total + count : start + count;
    if (end < start) throw discardLine(shell, `${count}: substring expression < 0`);
    const part = chars.slice(Number(start), Number(end < total ? end : total));
    return typeof part === "string" ? part : part.join("");
  };
}

function compileRemoval(name: string, operation: OperationOf<"PatternRemoval">, scope: Scope): Text {
  const { side, greedy } = operation;
  const pattern = compilePattern(operation.pattern, scope);
  const remove = side === "prefix" ? withoutPrefix : withoutSuffix;
  return async (shell) => remove(boundValue(shell, name), await pattern(shell), greedy);
}

function compileReplacing(name: string, operation: OperationOf<"PatternReplacement">, scope: Scope): Text {
  const { all: isAll, anchor } = operation;
  const pattern = compilePattern(operation.pattern, scope);
  const replacement = compileReplacement(operation.replacement, scope);
  return async (shell) => {
    const value = boundValue(shell, name);
    // Where there is no value, nothing takes the place of nothing.
    if (valueOf(shell, name) === undefined) return "";
    const parts = await pattern(shell);
    return replacePattern(value, parts, await replacement(shell), { isAll, anchor });
  };
}

function compileCase(name: string, operation: OperationOf<"CaseModification">): Text {
  const { direction, all: isAll, pattern } = operation;
  if (pattern && pattern.parts.length > 0) refuse("a pattern for cases");
  return async (shell) => {
    const text = boundValue(shell, name);
    if (isAll) return Array.from(text, (char) => inCase(char, direction)).join("");
    const [first = ""] = text;
    return inCase(first, direction) + text.slice(first.length);
  };
}

/** Characters become characters, as in bash: `ß` stays. */
function inCase(char: string, direction: "upper" | "lower"): string {
  const changed = direction === "upper" ? char.toUpperCase() : char.toLowerCase();
  return Array.from(changed).length === 1 ? changed : char;
}
