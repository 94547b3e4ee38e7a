import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import type { OptionSpec, ParsedOptions } from "./parse-options.ts";
import { parseOptions, UsageError } from "./parse-options.ts";

/** A command with the options of GNU's own. What it does not know is said as GNU does, with `usageCode`. */
export function defineCommand(
  name: string,
  spec: OptionSpec,
  run: (options: ParsedOptions, context: CommandContext) => Promise<CommandOutput>,
  usageCode = 1,
): ShellCommand {
  return {
    name,
    async run(args, context) {
      try {
        return await run(parseOptions(args, spec), context);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return { stderr: `${name}: ${error.message}\n`, exitCode: usageCode };
      }
    },
  };
}
