import type { SimpleCommand, Word, WordPart } from "./syntax-nodes.ts";

/**
 * A workaround of just-bash, which takes a command's name for one word, whatever it expands to: `$cmd`, `"$@"` and
 * `"${words[@]}"` would be looked for with their blanks. Of arguments it makes as many words as bash does, and the first
 * one is the name where the name itself expands to nothing.
 */
export function splitCommandWord(command: SimpleCommand): void {
  const { name } = command;
  if (!name?.parts.some(isSplit)) return;
  command.args.unshift(name);
  command.name = nothing();
}

/** Whether it can be more than one word, or none. */
function isSplit(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.some(isListOfWords);
  return part.type === "ParameterExpansion" || part.type === "CommandSubstitution";
}

function isListOfWords(part: WordPart): boolean {
  return part.type === "ParameterExpansion" && /^(@|.*\[@\])$/s.test(part.parameter);
}

/** `${_:+}` */
function nothing(): Word {
  const word: Word = { type: "Word", parts: [] };
  const operation = { type: "UseAlternative", word, checkEmpty: true } as const;
  return { type: "Word", parts: [{ type: "ParameterExpansion", parameter: "_", operation }] };
}
