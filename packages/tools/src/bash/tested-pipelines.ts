import type { Script } from "./parse-line.ts";
import {
  type Command,
  literalWord,
  type Pipeline,
  pipeline,
  plainText,
  type SimpleCommand,
  simpleCommand,
  type Statement,
  statement,
} from "./syntax-nodes.ts";

/** Whether it is `set -e`, among other options or in words. */
export function endsAtErrors({ name, args }: SimpleCommand): boolean {
  return plainText(name) === "set" && args.some((arg) => /^(-[a-z]*e[a-z]*|errexit)$/.test(plainText(arg) ?? ""));
}

/**
 * A workaround of just-bash, where `set -e` ends what runs inside of a command whose failure is tested, as in
 * `{ false; echo; } || true`. Of a condition it does not: so each such pipeline becomes `if pipeline; then :; else …; fi`.
 */
export function testPipelines(line: Statement): void {
  line.pipelines = line.pipelines.map((each, at) => {
    const isTested = each.negated || (at < line.pipelines.length - 1 && line.operators[at] !== ";");
    return isTested && each.commands.some(runsOthers) ? tested(each) : each;
  });
}

/** The same for what is in `$( )`, which bash runs without `-e` unless it sets that by itself. */
export function outsideOfErrexit(body: Script): void {
  const isPlain = body.statements.every(({ pipelines }) => pipelines.length === 1 && !pipelines[0]?.negated);
  const [only] = body.statements;
  if (!only || (body.statements.length === 1 && isPlain)) return;
  if (body.statements.some(({ pipelines }) => pipelines.some(({ commands }) => commands.some(isErrexit)))) return;
  body.statements = [statement([pipeline(condition(body.statements))])];
}

function isErrexit(command: Command): boolean {
  return command.type === "SimpleCommand" && endsAtErrors(command);
}

/** Whether commands may run inside of it, and fail without its failing. A name that is not plain may be a function's. */
function runsOthers(command: Command): boolean {
  if (command.type !== "SimpleCommand") return true;
  return !/^(\[|test|true|false|:|cd|echo|grep|command)$/.test(plainText(command.name) ?? "");
}

function tested(whole: Pipeline): Pipeline {
  const { negated } = whole;
  return { ...pipeline(condition([statement([{ ...whole, negated: false }])])), negated };
}

/** The statements as a condition, with the code of the last one as that of the whole. */
function condition(statements: Statement[]): Command {
  const nothing = (): Pipeline => pipeline(simpleCommand(literalWord(":")));
  // A command without words keeps the code; it is tested in turn, and so does not end the script.
  const sameCode = statement([pipeline(simpleCommand(null)), nothing()], ["&&"]);
  return {
    type: "If",
    clauses: [{ condition: statements, body: [statement([nothing()])] }],
    elseBody: [sameCode],
    redirections: [],
  };
}
