import { parseLine } from "./parse-line.ts";
import {
  type Command,
  literalWord,
  pipeline,
  plainText,
  type SimpleCommand,
  simpleCommand,
  type Statement,
  statement,
  type Word,
} from "./syntax-nodes.ts";

const DECLARES = /^(local|declare|typeset|readonly|export)$/;

/**
 * A workaround of just-bash, which takes `name=(…)` behind `local`, `declare` and the like for text: words are split where
 * they are quoted, and substitutions lost. So `local -a name=("$@")` becomes `{ local -a name; name=("$@"); }`.
 */
export function mendDeclaredArrays(line: Statement): void {
  let rest = line.sourceText ?? "";
  for (const each of line.pipelines)
    each.commands = each.commands.map((command) => {
      if (command.type !== "SimpleCommand" || !DECLARES.test(plainText(command.name) ?? "")) return command;
      const arrays: SimpleCommand[] = [];
      const args = command.args.map((arg) => {
        const name = arrayName(arg);
        const at = name === undefined ? -1 : rest.search(new RegExp(`(?<![\\w$])${name}\\+?=\\(`));
        const array = at === -1 ? undefined : assigned(rest.slice(at));
        if (name === undefined || !array) return arg;
        rest = rest.slice(at + name.length);
        arrays.push(array);
        return literalWord(name);
      });
      return arrays.length === 0 ? command : declaredFirst({ ...command, args }, arrays);
    });
}

function arrayName(word: Word): string | undefined {
  const [first] = word.parts;
  return first?.type === "Literal" ? /^([A-Za-z_]\w*)\+?=\(/.exec(first.value)?.[1] : undefined;
}

/** The assignment that a text begins with. */
function assigned(text: string): SimpleCommand | undefined {
  const command = parseLine(text).script?.statements[0]?.pipelines[0]?.commands[0];
  const first = command?.type === "SimpleCommand" ? command.assignments[0] : undefined;
  return first?.array ? { ...simpleCommand(null), assignments: [first] } : undefined;
}

function declaredFirst(declaration: SimpleCommand, arrays: readonly SimpleCommand[]): Command {
  const { redirections, args } = declaration;
  const options = args.filter((arg) => /^[-+]/.test(plainText(arg) ?? ""));
  const texts = options.map((arg) => plainText(arg) ?? "");
  // What is readonly cannot be assigned to any more.
  const isReadonly = plainText(declaration.name) === "readonly" || texts.some((text) => /^-.*r/.test(text));
  const kinds = texts.map((text) => text.replace("r", "")).filter((text) => text !== "-");
  if (!kinds.some((text) => /[aA]/.test(text))) kinds.push("-a");
  const names = args.filter((arg) => !options.includes(arg));
  const name = plainText(declaration.name) === "readonly" ? literalWord("declare") : declaration.name;
  const parts: SimpleCommand[] = [
    { ...simpleCommand(name), args: [...kinds.map(literalWord), ...names] },
    ...arrays,
    ...(isReadonly ? [{ ...simpleCommand(literalWord("readonly")), args: names }] : []),
  ];
  return { type: "Group", body: parts.map((part) => statement([pipeline(part)])), redirections };
}
