import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { withPauses } from "./awk-program.ts";
import { readInput } from "./read-inputs.ts";

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

/** The options as just-bash's takes them, the program, and what follows it. */
async function splitCall(args: readonly string[], context: CommandContext): Promise<AwkCall> {
  const options: string[] = [];
  const programs: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, short, long, attached = ""] = /^(?:-([Fvf])|--(field-separator|assign|file)=?)(.*)$/s.exec(arg) ?? [];
    const letter = short ?? { "field-separator": "F", assign: "v", file: "f" }[long ?? ""];
    if (arg === "--" || letter === undefined) {
      if (arg !== "--" && /^-./.test(arg)) {
        options.push(arg);
        continue;
      }
      if (arg !== "--") rest.unshift(arg);
      break;
    }
    const value = attached === "" ? (rest.shift() ?? "") : attached;
    if (letter !== "f") {
      options.push(`-${letter}`, value);
      continue;
    }
    const input = await readInput(value, context);
    if (input.problem !== undefined) {
      return { options, operands: [], problem: `can't open file ${value}: ${input.problem}` };
    }
    programs.push(new TextDecoder().decode(input.bytes));
  }
  const program = programs.length > 0 ? programs.join("\n") : rest.shift();
  return { options, operands: rest, ...(program === undefined ? {} : { program }) };
}

export const AWK_COMMANDS: readonly ShellCommand[] = [awkNamed("awk")];
