import { type Command, pipeline, type Pipeline, statement } from "./syntax-nodes.ts";

/**
 * A workaround of just-bash, where `if`, `for` and `case` do not read what is piped to them, and where what `cd` and `set`
 * do in a part of a pipeline stays. Each part that is more than a simple command gets a subshell around it, as bash has it.
 */
export function eachInSubshell(line: Pipeline): void {
  if (line.commands.length > 1) line.commands = line.commands.map(inSubshell);
}

function inSubshell(command: Command): Command {
  const isAlone = command.type === "SimpleCommand" || command.type === "Subshell" || command.type === "FunctionDef";
  return isAlone ? command : { type: "Subshell", body: [statement([pipeline(command)])], redirections: [] };
}
