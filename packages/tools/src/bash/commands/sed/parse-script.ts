import { characterAt } from "./escapes.ts";
import { compile, fileName, parseSubstitution, parseTransliteration } from "./parse-substitution.ts";
import { ScriptCursor } from "./script-cursor.ts";
import {
  type Address,
  type RangeEnd,
  type SedAction,
  type SedCommand,
  SedError,
  type SedProgram,
} from "./sed-program.ts";

/** The program of a script; `SedError` for one that is not valid. */
export function parseScript(text: string, extended: boolean): SedProgram {
  const cursor = new ScriptCursor(text);
  const isQuiet = /^#n(\n|$)/.test(text);
  const commands: SedCommand[] = [];
  const open: Extract<SedAction, { name: "{" }>[] = [];
  for (;;) {
    cursor.match(/[\s;]*/);
    if (cursor.isAtEnd) break;
    if (cursor.match(/#[^\n]*/)) continue;
    const command = parseCommand(cursor, extended);
    if (command.name === "}") {
      const block = open.pop();
      if (!block) return cursor.fail("unexpected `}'");
      block.end = commands.length;
    } else if (command.name === "{") open.push(command);
    commands.push(command);
  }
  if (open.length > 0) throw new SedError("-e expression #1, char 0: unmatched `{'");
  resolveLabels(commands);
  return { commands, isQuiet };
}

function resolveLabels(commands: readonly SedCommand[]): void {
  const labels = new Map(commands.flatMap((command, at) => (command.name === ":" ? [[command.label, at]] : [])));
  for (const command of commands) {
    if (command.name !== "b" && command.name !== "t" && command.name !== "T") continue;
    const target = command.label === "" ? commands.length : labels.get(command.label);
    if (target === undefined) throw new SedError(`can't find label for jump to \`${command.label}'`, 4);
    command.target = target;
  }
}

function parseCommand(cursor: ScriptCursor, extended: boolean): SedCommand {
  const from = parseAddress(cursor, extended);
  cursor.skipBlanks();
  const to = from && cursor.match(/,[ \t]*/) ? parseEnd(cursor, extended) : undefined;
  cursor.skipBlanks();
  const isNegated = cursor.match(/![ \t]*/) !== undefined;
  if (cursor.peek() === "!") {
    cursor.at++;
    cursor.fail("multiple `!'s");
  }
  if (from?.kind === "line" && from.line === 0 && to?.kind !== "match") cursor.fail("invalid usage of line address 0");
  const action = parseAction(cursor, extended, from !== undefined);
  return { ...action, ...(from ? { from } : {}), ...(to ? { to } : {}), isNegated };
}

function parseAddress(cursor: ScriptCursor, extended: boolean): Address | undefined {
  const number = cursor.match(/(\d+)(?:[ \t]*~[ \t]*(\d+))?/);
  if (number) {
    const [, first = "", step] = number;
    return step === undefined
      ? { kind: "line", line: Number(first) }
      : { kind: "step", first: Number(first), step: Number(step) };
  }
  if (cursor.match(/\$/)) return { kind: "last" };
  const begin = cursor.match(/\/|\\([^\n])/);
  if (!begin) return undefined;
  const source = cursor.until(begin[1] ?? "/", true);
  if (source === undefined) return cursor.fail("unterminated address regex");
  const flags = cursor.match(/[IM]*/)?.[0] ?? "";
  const options = { extended, ignoreCase: flags.includes("I"), lines: flags.includes("M") };
  return { kind: "match", pattern: compile(cursor, source, options) };
}

function parseEnd(cursor: ScriptCursor, extended: boolean): RangeEnd {
  const [, sign, count = ""] = cursor.match(/([+~])(\d+)/) ?? [];
  if (sign === "+") return { kind: "more", lines: Number(count) };
  if (sign === "~") return { kind: "multiple", of: Number(count) };
  const address = parseAddress(cursor, extended);
  if (!address || address.kind === "step") return cursor.fail("unexpected `,'");
  return address;
}

function parseAction(cursor: ScriptCursor, extended: boolean, hasAddress: boolean): SedAction {
  const name = cursor.take();
  switch (name) {
    case "{":
      return { name, end: -1 };
    case "}":
      if (hasAddress) cursor.fail("} doesn't want any addresses");
      return ended(cursor, { name });
    case ":":
      if (hasAddress) cursor.fail(": doesn't want any addresses");
      return label(cursor);
    case "a":
    case "i":
    case "c":
      return { name, text: textOf(cursor) };
    case "b":
    case "t":
    case "T":
      return { name, label: cursor.match(/[ \t]*([^\s;}]*)/)?.[1] ?? "", target: -1 };
    case "q":
    case "Q":
    case "l": {
      const number = cursor.match(/[ \t]*(\d+)/)?.[1];
      if (name === "l") return ended(cursor, { name, width: number === undefined ? undefined : Number(number) });
      return ended(cursor, { name, code: Number(number ?? 0) & 255 });
    }
    case "r":
    case "R":
    case "w":
    case "W":
      return { name, file: fileName(cursor) };
    case "s":
      return ended(cursor, parseSubstitution(cursor, extended));
    case "y":
      return ended(cursor, parseTransliteration(cursor));
    default:
      return ended(cursor, plainCommand(cursor, name));
  }
}

const PLAIN = ["=", "d", "D", "F", "g", "G", "h", "H", "n", "N", "p", "P", "v", "x", "z"] as const;

function plainCommand(cursor: ScriptCursor, name: string): SedAction {
  const plain = PLAIN.find((each) => each === name);
  if (plain) return { name: plain };
  if (name === "e") throw new SedError("the command `e' is not supported here; run the command with $( ) or xargs");
  return cursor.fail(name === "" || /[\n;]/.test(name) ? "missing command" : `unknown command: \`${name}'`);
}

function label(cursor: ScriptCursor): SedAction {
  const text = cursor.match(/[ \t]*([^\s;]*)/)?.[1] ?? "";
  if (text === "") cursor.fail('":" lacks a label');
  return { name: ":", label: text };
}

/** Behind a command comes its end. */
function ended<Action extends SedAction>(cursor: ScriptCursor, action: Action): Action {
  cursor.skipBlanks();
  if (!cursor.isAtEnd && !/[\n;}#]/.test(cursor.peek())) {
    cursor.at++;
    cursor.fail("extra characters after command");
  }
  return action;
}

/** The text of `a`, `i` and `c`: what is on the line, or on those that follow a backslash. */
function textOf(cursor: ScriptCursor): string {
  cursor.skipBlanks();
  if (cursor.isAtEnd || cursor.peek() === "\n") cursor.fail("expected \\ after `a', `c' or `i'");
  // Blanks at the beginning count where there is a backslash before them.
  const isOpen = cursor.match(/\\(?:[ \t]*\n)?/) !== undefined;
  if (isOpen && cursor.isAtEnd) return "";
  let text = "";
  while (!cursor.isAtEnd) {
    const char = cursor.take();
    if (char === "\n") break;
    const found = char === "\\" ? characterAt(cursor.text, cursor.at) : undefined;
    text += found?.char ?? (char === "\\" ? cursor.take() : char);
    cursor.at += found?.length ?? 0;
  }
  return `${text}\n`;
}
