import type { ParsedLine, Script } from "../parse-line.ts";
import type { ShellCommand } from "../shell-command.ts";
import { DIRECT_COMMANDS } from "./direct-commands.ts";

/**
 * A command line that takes no shell to run: nothing in it is expanded or assigned, and all of its commands are ours. That
 * is most of what agents type, such as `cd src && grep -rn word . | head -20`.
 */
export type DirectLine = readonly DirectStatement[];

export interface DirectStatement {
  readonly pipelines: readonly (readonly DirectCall[])[];
  /** Before each pipeline but the first. */
  readonly operators: readonly string[];
}

export interface DirectCall {
  readonly command: ShellCommand;
  readonly args: readonly string[];
  /** The file that it reads in place of what is piped to it. */
  readonly input: string | undefined;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Where it is told that `input` cannot be read. */
  readonly inputProblem: Stream;
}

export type Stream = Output | "nowhere";

type Output = "stdout" | "stderr";
type Streams = { -readonly [Name in Exclude<keyof DirectCall, "command" | "args">]: DirectCall[Name] };
type Statement = Script["statements"][number];
type Node = Statement["pipelines"][number]["commands"][number];
type SimpleCommand = Extract<Node, { type: "SimpleCommand" }>;
type Word = SimpleCommand["args"][number];
type Redirection = SimpleCommand["redirections"][number];

/** Longer ones are left to the shell, which counts what it does. */
const MAX_LENGTH = 8192;

/** The line, if it is such a one. */
export function directLine(line: ParsedLine, commands: readonly ShellCommand[]): DirectLine | undefined {
  // just-bash takes blanks from the beginning of lines for a syntax tree, which mean something after a `\`.
  if (!line.script || line.text.length > MAX_LENGTH || /\n[^\S\n]/.test(line.text)) return undefined;
  return all(line.script.statements, (statement) => statementOf(statement, commands));
}

function statementOf(statement: Statement, commands: readonly ShellCommand[]): DirectStatement | undefined {
  const { background, deferredError, operators } = statement;
  if (background || deferredError) return undefined;
  const pipelines = all(statement.pipelines, (pipeline) => {
    const { negated, timed, pipeStderr = [] } = pipeline;
    if (negated || timed || pipeStderr.includes(true)) return undefined;
    const isPiped = pipeline.commands.length > 1;
    return all(pipeline.commands, (command) => callOf(command, isPiped, commands));
  });
  return pipelines && { pipelines, operators };
}

function callOf(node: Node, isPiped: boolean, commands: readonly ShellCommand[]): DirectCall | undefined {
  if (node.type !== "SimpleCommand" || node.assignments.length > 0 || !node.name) return undefined;
  const name = textOf(node.name);
  const args = all(node.args, textOf);
  const streams = streamsOf(node.redirections);
  if (name === undefined || !args || !streams) return undefined;
  // Each part of a pipe has a working directory of its own.
  if (name === "cd" && isPiped) return undefined;
  const command = commandOf(name, args, commands);
  return command && { command, args, ...streams };
}

function commandOf(name: string, args: readonly string[], own: readonly ShellCommand[]): ShellCommand | undefined {
  const isTaken = (command: ShellCommand): boolean => command.name === name && command.takes?.(args) !== false;
  return (
    DIRECT_COMMANDS.find(isTaken) ??
    own.find((command) => isTaken(command) && !command.callsOriginal && !command.callsOthers)
  );
}

function streamsOf(redirections: readonly Redirection[]): Streams | undefined {
  const streams: Streams = { input: undefined, stdout: "stdout", stderr: "stderr", inputProblem: "stderr" };
  return redirections.every((each) => redirect(each, streams)) ? streams : undefined;
}

/** What a redirection to `/dev/null` throws away, and what becomes a copy of what. */
const DISCARDS: Readonly<Record<string, readonly Output[]>> = {
  ">": ["stdout"],
  ">>": ["stdout"],
  "1>": ["stdout"],
  "1>>": ["stdout"],
  "2>": ["stderr"],
  "2>>": ["stderr"],
  "&>": ["stdout", "stderr"],
};
const COPIES: Readonly<Record<string, readonly [to: Output, from: Output]>> = {
  "2>&1": ["stderr", "stdout"],
  ">&2": ["stdout", "stderr"],
  "1>&2": ["stdout", "stderr"],
};

/** Whether it is one of these. */
function redirect({ operator, fd, fdVariable, target }: Redirection, streams: Streams): boolean {
  const path = target.type === "Word" ? textOf(target) : undefined;
  if (path === undefined || fdVariable !== undefined) return false;
  const what = `${fd ?? ""}${operator}`;
  if (what === "<" && streams.input === undefined) {
    streams.input = path;
    streams.inputProblem = streams.stderr;
    return true;
  }
  const copy = COPIES[what + path];
  if (copy) streams[copy[0]] = streams[copy[1]];
  const discarded = path === "/dev/null" ? (DISCARDS[what] ?? []) : [];
  for (const output of discarded) streams[output] = "nowhere";
  return copy !== undefined || discarded.length > 0;
}

/** The text of a word in which nothing is expanded. */
function textOf(word: Word): string | undefined {
  return word.parts.length === 0 ? undefined : all(word.parts, partOf)?.join("");
}

function partOf(part: Word["parts"][number]): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "Escaped":
      return part.value;
    case "DoubleQuoted":
      return all(part.parts, partOf)?.join("");
    default:
      return undefined;
  }
}

/** What `map` makes of each; undefined as soon as it makes nothing of one. */
function all<T, R>(items: readonly T[], map: (item: T) => R | undefined): R[] | undefined {
  const results: R[] = [];
  for (const item of items) {
    const result = map(item);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return results;
}
