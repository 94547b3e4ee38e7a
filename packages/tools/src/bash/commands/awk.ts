import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { withPauses } from "./awk-program.ts";
import { readInputs } from "./read-inputs.ts";

/** In front of just-bash's, which knows no `-f`, and does not let go of the event loop; see `pause-file.ts`. */
function awkNamed(name: string): ShellCommand {
  return {
    name,
    callsOriginal: true,
    async run(args, context): Promise<CommandOutput> {
      const call = await splitCall(args, context);
      if (call.problem !== undefined) return { stderr: `${name}: ${call.problem}\n`, exitCode: 2 };
      const { program, options, operands } = call;
      const words = program === undefined ? [] : [withPauses(program), ...operands];
      const result = await context.original([...options, ...words]);
      // GNU's says 2 of a file that is not there.
      const isMissing = result.exitCode === 1 && /: No such file or directory$/m.test(result.stderr ?? "");
      return isMissing ? { ...result, exitCode: 2 } : result;
    },
  };
}

interface AwkCall {
  readonly program?: string;
  readonly options: readonly string[];
  readonly operands: readonly string[];
  readonly problem?: string;
}

const OPTION = /^(?:-([Fvf])|--(field-separator|assign|file)=?)(.*)$/s;
const LETTERS: Readonly<Record<string, string>> = { "field-separator": "F", assign: "v", file: "f" };

/** The options as just-bash's takes them, the program, and what follows it. */
async function splitCall(args: readonly string[], context: CommandContext): Promise<AwkCall> {
  const options: string[] = [];
  const files: string[] = [];
  const rest = [...args];
  while (/^-./.test(rest[0] ?? "")) {
    const arg = rest.shift() ?? "";
    if (arg === "--") break;
    const [, short, long = "", attached = ""] = OPTION.exec(arg) ?? [];
    const letter = short ?? LETTERS[long];
    if (letter === undefined) {
      options.push(arg);
      continue;
    }
    const value = attached === "" ? (rest.shift() ?? "") : attached;
    if (letter === "f") files.push(value);
    else options.push(`-${letter}`, value);
  }
  if (files.length > 0) return { options, operands: rest, ...(await programOf(files, context)) };
  const [program, ...operands] = rest;
  return { options, operands, ...(program === undefined ? {} : { program }) };
}

async function programOf(
  files: readonly string[],
  context: CommandContext,
): Promise<Pick<AwkCall, "program" | "problem">> {
  const inputs = await readInputs(files, context);
  const bad = inputs.find(({ problem }) => problem !== undefined);
  if (bad) return { problem: `can't open file ${bad.name}: ${bad.problem}` };
  return { program: inputs.map(({ bytes }) => new TextDecoder().decode(bytes)).join("\n") };
}

export const AWK_COMMANDS: readonly ShellCommand[] = [awkNamed("awk")];
