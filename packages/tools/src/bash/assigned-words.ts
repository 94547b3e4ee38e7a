import {
  type Command,
  pipeline,
  type Pipeline,
  type SimpleCommand,
  simpleCommand,
  statement,
  type Word,
} from "./syntax-nodes.ts";

/** Where the words of a command are, until it runs. */
const KEPT = "__words";

/**
 * A workaround of just-bash, which makes the assignments in front of a command before it expands the command's words: in
 * `A=1 echo $A` the `$A` is what it was before. The words are expanded into an array first.
 */
export function expandBeforeAssigning(line: Pipeline): void {
  line.commands = line.commands.map((command) => (isMeant(command) ? inTwoSteps(command) : command));
}

function isMeant(command: Command): command is SimpleCommand {
  if (command.type !== "SimpleCommand" || command.name === null || command.assignments.length === 0) return false;
  const words = JSON.stringify(command.args);
  return command.assignments.some(({ name }) => words.includes(`"parameter":${JSON.stringify(name)}`));
}

function inTwoSteps(command: SimpleCommand): Command {
  const kept: SimpleCommand = {
    ...simpleCommand(null),
    assignments: [{ type: "Assignment", name: KEPT, value: null, append: false, array: command.args }],
  };
  const all: Word = {
    type: "Word",
    parts: [
      { type: "DoubleQuoted", parts: [{ type: "ParameterExpansion", parameter: `${KEPT}[@]`, operation: null }] },
    ],
  };
  const body = [statement([pipeline(kept)]), statement([pipeline({ ...command, args: [all] })])];
  return { type: "Group", body, redirections: [] };
}
