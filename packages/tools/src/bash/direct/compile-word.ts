import { ENV } from "../create-bash.ts";
import type { Word } from "../syntax-nodes.ts";
import { compileArithmetic } from "./arithmetic.ts";
import { expandBraces } from "./expand-braces.ts";
import { checkWords, type Field, FieldBuilder } from "./fields.ts";
import { globWords } from "./glob-words.ts";
import type { WordPart } from "./nodes.ts";
import { parsePattern, quotePattern } from "./parse-pattern.ts";
import type { Pattern } from "./pattern.ts";
import { innerScope, refuse, type Scope, type Text } from "./scope.ts";
import type { Shell } from "./shell-state.ts";
import { checkLength } from "./variables.ts";

/** What a word becomes: fields where it is split, as arguments are. */
export type Words = (shell: Shell) => Promise<readonly string[]>;

/** A part of a word, once its quotes are understood. */
type Part =
  | { readonly kind: "quoted" | "plain" | "pattern"; readonly text: string }
  /** A quoted one is a field even where it is empty, unless that is optional. */
  | { readonly kind: "value"; readonly value: Text; readonly isQuoted: boolean; readonly isOptional?: boolean }
  /** All arguments, each a field of its own. */
  | { readonly kind: "arguments"; readonly isQuoted: boolean };

/** The text of a word in which nothing is expanded. */
export function constantOf(word: Word): string | undefined {
  if (word.parts.length === 0) return undefined;
  let text = "";
  for (const part of word.parts) {
    const value = constantPart(part);
    if (value === undefined) return undefined;
    text += value;
  }
  return text;
}

function constantPart(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "Escaped":
      return part.value;
    case "DoubleQuoted":
      return part.parts.length === 0 ? "" : constantOf({ type: "Word", parts: part.parts });
    default:
      return undefined;
  }
}

/** Words that are arguments: they are split where they are not quoted, and patterns in them stand for files. */
export function compileWords(words: readonly Word[], scope: Scope): Words {
  const constants = words.map(constantOf);
  if (!constants.includes(undefined)) {
    const known = constants.map((constant) => constant ?? "");
    return async () => known;
  }
  return globbed(words.map((word) => compileFields(word, scope)));
}

/** What they expand to. All of them are expanded before the first of them is looked for among the files. */
export function globbed(all: readonly Fields[]): Words {
  return async (shell) => {
    const fields: Field[] = [];
    let hasPatterns = false;
    for (const expand of all) {
      for (const field of await expand(shell)) {
        fields.push(field);
        hasPatterns ||= field.pattern !== undefined;
      }
      checkWords(fields.length);
    }
    if (!hasPatterns) return fields.map(({ text }) => text);
    const words: string[] = [];
    for (const { text, pattern } of fields) {
      const files = pattern === undefined ? [] : await globWords(shell, pattern);
      for (const file of files.length > 0 ? files : [text]) words.push(file);
      checkWords(words.length);
    }
    return words;
  };
}

type Fields = (shell: Shell) => Promise<readonly Field[]>;

const plainField = (text: string): Field => ({ text, pattern: undefined });

export function compileFields(word: Word, scope: Scope): Fields {
  const constant = constantOf(word);
  if (constant !== undefined) {
    const fields = [plainField(constant)];
    return async () => fields;
  }
  const words = expandBraces(word).map((each) => fieldsOf(compileParts(each.parts, scope, false)));
  const [only] = words;
  if (words.length === 1 && only) return only;
  return async (shell) => {
    const fields: Field[] = [];
    for (const expand of words) fields.push(...(await expand(shell)));
    return fields;
  };
}

/** A word that stays one, as a field. */
export function fieldOf(text: Text): Fields {
  return async (shell) => [plainField(await text(shell))];
}

function fieldsOf(parts: readonly Part[]): Fields {
  const [only] = parts;
  const isOne = parts.every((part) => part.kind !== "arguments" && part.kind !== "pattern" && isUnsplit(part));
  if (isOne && parts.length > 0) return fieldOf(textOf(parts));
  if (parts.length === 1 && only?.kind === "arguments" && only.isQuoted)
    return async ({ args }) => args.map(plainField);
  return async (shell) => {
    const builder = new FieldBuilder(shell.env.get("IFS"));
    let length = 0;
    for (const part of parts) {
      length += await addPart(part, builder, shell);
      checkLength(length);
    }
    return builder.fields();
  };
}

const isUnsplit = (part: Part): boolean => part.kind !== "value" || part.isQuoted;

/** How much it added. */
async function addPart(part: Part, builder: FieldBuilder, shell: Shell): Promise<number> {
  switch (part.kind) {
    case "quoted":
      builder.addQuoted(part.text);
      return part.text.length;
    case "plain":
      builder.addPlain(part.text);
      return part.text.length;
    case "pattern":
      builder.addPattern(part.text);
      return part.text.length;
    case "value": {
      const value = await part.value(shell);
      if (part.isQuoted && !(part.isOptional && value === "")) builder.addQuoted(value);
      else builder.addSplit(value);
      return value.length;
    }
    case "arguments": {
      for (const [at, arg] of shell.args.entries()) {
        if (at > 0) builder.next();
        if (part.isQuoted) builder.addQuoted(arg);
        else builder.addSplit(arg);
      }
      return 0;
    }
  }
}

/** A word that stays one, as the value of an assignment. */
export function compileText(word: Word, scope: Scope): Text {
  const constant = word.parts.length === 0 ? "" : constantOf(word);
  if (constant !== undefined) return async () => constant;
  if (word.parts.some((part) => part.type === "BraceExpansion")) refuse("braces");
  return textOf(compileParts(word.parts, scope, false));
}

function textOf(parts: readonly Part[]): Text {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "value") return only.value;
  return async (shell) => {
    let text = "";
    for (const part of parts) {
      if (part.kind === "value") text += await part.value(shell);
      else if (part.kind === "arguments") text += shell.args.join(" ");
      else text += part.text;
    }
    checkLength(text.length);
    return text;
  };
}

/** A word that is a pattern, as those of `case`. */
export function compilePattern(word: Word, scope: Scope): (shell: Shell) => Promise<Pattern> {
  const parts = compileParts(word.parts, scope, false);
  if (!parts.some(({ kind }) => kind === "value" || kind === "arguments")) {
    const pattern = parsePattern(parts.map((part) => ("text" in part ? patternOf(part) : "")).join(""));
    return async () => pattern;
  }
  return async (shell) => {
    let text = "";
    for (const part of parts) {
      if (part.kind === "arguments") text += quotePattern(shell.args.join(" "));
      else if (part.kind !== "value") text += patternOf(part);
      else {
        const value = await part.value(shell);
        text += part.isQuoted ? quotePattern(value) : value;
      }
    }
    checkLength(text.length);
    return parsePattern(text);
  };
}

function patternOf({ kind, text }: { readonly kind: string; readonly text: string }): string {
  if (kind === "pattern") return text;
  return kind === "quoted" ? quotePattern(text) : text.replace(/[*?[\\]/g, "\\$&");
}

type Replacement = (match: string) => string;

/** What takes the place of a match: of an `&` that is not quoted, it is the match. */
export function compileReplacement(word: Word | null, scope: Scope): (shell: Shell) => Promise<Replacement> {
  if (!word) return async () => () => "";
  const parts = compileParts(word.parts, scope, false);
  // It may have been quoted by `$'…'`, which is no more to be seen.
  if (parts.some((part) => part.kind === "plain" && part.text.includes("&"))) refuse("& in a replacement");
  return async (shell) => {
    const pieces: (string | undefined)[] = [];
    for (const part of parts) {
      if (part.kind === "arguments") pieces.push(shell.args.join(" "));
      else if (part.kind !== "value") pieces.push(part.text);
      else if (part.isQuoted) pieces.push(await part.value(shell));
      else for (const [piece] of (await part.value(shell)).matchAll(/\\[^]|&|[^\\&]+|\\/g)) pieces.push(pieceOf(piece));
    }
    if (pieces.includes(undefined)) return (match) => pieces.map((piece) => piece ?? match).join("");
    const text = pieces.join("");
    return () => text;
  };
}

function pieceOf(piece: string): string | undefined {
  if (piece === "&") return undefined;
  return piece === "\\&" ? "&" : piece;
}

function compileParts(parts: readonly WordPart[], scope: Scope, isQuoted: boolean): Part[] {
  return parts.flatMap((part) => compilePart(part, scope, isQuoted));
}

function compilePart(part: WordPart, scope: Scope, isQuoted: boolean): Part[] {
  switch (part.type) {
    case "Literal":
      return [{ kind: isQuoted ? "quoted" : "plain", text: part.value }];
    case "SingleQuoted":
    case "Escaped":
      return [{ kind: "quoted", text: part.value }];
    case "DoubleQuoted": {
      const inner = compileParts(part.parts, scope, true);
      // Quotes with nothing in them are a field, unless there would be one for each argument.
      const isField = !inner.some(({ kind }) => kind === "arguments");
      if (isField) return [{ kind: "quoted", text: "" }, ...inner];
      return inner.map((each) => (each.kind === "value" ? { ...each, isOptional: true } : each));
    }
    case "Glob":
      if (/[@?*+!]\(/.test(part.pattern)) refuse("an extended pattern");
      return [{ kind: isQuoted ? "quoted" : "pattern", text: part.pattern }];
    case "TildeExpansion": {
      if (part.user !== null) refuse("the home of a user");
      return [{ kind: "value", isQuoted: true, value: async ({ env }) => env.get("HOME") ?? ENV["HOME"] ?? "" }];
    }
    case "ParameterExpansion": {
      if (part.parameter === "@" || (part.parameter === "*" && !isQuoted)) {
        if (part.operation) refuse("operators on all arguments");
        return [{ kind: "arguments", isQuoted }];
      }
      return [{ kind: "value", isQuoted, value: scope.compile.parameter(part, isQuoted, scope) }];
    }
    case "ArithmeticExpansion": {
      const value = compileArithmetic(part.expression, scope);
      return [{ kind: "value", isQuoted, value: async (shell) => String(await value(shell)) }];
    }
    case "CommandSubstitution":
      return [{ kind: "value", isQuoted, value: scope.compile.substitution(part.body, innerScope(scope)) }];
    default:
      return refuse(part.type);
  }
}
