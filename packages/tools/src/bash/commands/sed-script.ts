/** A command of a sed script; of a group, its brace. */
export interface SedCommand {
  /** With its `!`; blanks are left out. */
  readonly address: string;
  readonly name: string;
  /** What follows the name: a label, a file, a text, flags; of `s` and `y` what is in `parts` too. */
  readonly argument: string;
  readonly parts?: SedParts;
}

/** Of `s` and `y`, as they are written. */
export interface SedParts {
  readonly mark: string;
  readonly from: string;
  readonly to: string;
  readonly flags: string;
}

const ONE = String.raw`(?:\d+(?:~\d+)?|\$|(?:\/(?:\\.|[^/\\\n])*\/|\\([^\\\n])(?:\\.|(?!\1)[^\\\n])*\1)[IM]*)`;
const OTHER = ONE.replaceAll(String.raw`\1`, String.raw`\2`);
const ADDRESS = new RegExp(String.raw`(?:${ONE}\s*(?:,\s*(?:[+~]\d+|${OTHER})\s*)?)?(?:!\s*)*`, "y");
const GAP = /[\s;]*/y;
/** Up to where a command ends that can have another one behind it. */
const END = /[ \t]*(?=[;}#\n]|$)/y;

/** By the letter of a command, what may follow it. */
const ARGUMENTS: readonly (readonly [letters: RegExp, argument: RegExp])[] = [
  [/[{}]/, /(?:)/y],
  [/[=dDgGhHnNpPxzF]/, /(?:)/y],
  [/[lLqQ]/, /[ \t]*\d*/y],
  [/[btT:]/, /[ \t]*[^;}\s]*/y],
  [/[rRwW]/, /[^\n]*/y],
  [/[aic]/, /(?:\\[^]|[^\\\n])*/y],
  [/#/, /[^\n]*/y],
];

/** The commands of a script, `undefined` of one with something that is not known here. */
export function sedCommands(script: string): SedCommand[] | undefined {
  const commands: SedCommand[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  for (take(GAP); at < script.length; take(GAP)) {
    const address = (take(ADDRESS) ?? "").replace(/\s+(?=[!,]|$)|(?<=,)\s+/g, "");
    const name = script.charAt(at);
    at += 1;
    if (name === "s" || name === "y") {
      const parts = partsAt(script, at);
      if (parts === undefined) return undefined;
      at += 3 + parts.from.length + parts.to.length;
      const flags = take(/[gpiIeMm\d]*/y) ?? "";
      const { mark, from, to } = parts;
      commands.push({ address, name, argument: mark + from + mark + to + mark + flags, parts: { ...parts, flags } });
    } else {
      const argument = ARGUMENTS.find(([letters]) => letters.test(name))?.[1];
      if (name === "" || argument === undefined) return undefined;
      commands.push({ address, name, argument: (take(argument) ?? "").trimEnd() });
    }
    if (name !== "{" && name !== "}" && take(END) === undefined) return undefined;
  }
  return commands;
}

/** A script of these commands. */
export function sedScript(commands: readonly SedCommand[]): string {
  return commands.map(({ address, name, argument }) => address + name + argument).join("\n");
}

/** The same `s` with another replacement. */
export function replacing(command: SedCommand, parts: SedParts): SedCommand {
  const { mark, from, to, flags } = parts;
  return { ...command, argument: mark + from + mark + to + mark + flags, parts };
}

function partsAt(script: string, start: number): Omit<SedParts, "flags"> | undefined {
  const mark = script.charAt(start);
  if (mark === "" || mark === "\n" || mark === "\\") return undefined;
  const middle = endOfPart(script, start + 1, mark, true);
  const end = middle === -1 ? -1 : endOfPart(script, middle + 1, mark, false);
  if (end === -1) return undefined;
  return { mark, from: script.slice(start + 1, middle), to: script.slice(middle + 1, end) };
}

/** Where the next mark is, -1 for nowhere. As in just-bash, one between brackets is a part of the pattern. */
function endOfPart(script: string, from: number, mark: string, isPattern: boolean): number {
  let isInBrackets = false;
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === "\\") at += 1;
    else if (char === mark && !isInBrackets) return at;
    else if (char === "\n") return -1;
    else if (isPattern && char === "[" && !isInBrackets) {
      isInBrackets = true;
      // A bracket that closes at once is one of the characters.
      at += /^\^?\]?/.exec(script.slice(at + 1, at + 3))?.[0].length ?? 0;
    } else if (char === "]") isInBrackets = false;
  }
  return -1;
}
