import { readFileSync } from "node:fs";
import { join } from "node:path";
import { completionCommand } from "../completion/completion-command.ts";
import type { CommandSpec } from "./command-spec.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { commandHelp, overview } from "./help-text.ts";
import { parseCommand, type ParsedCommand } from "./parse-command.ts";
import type { Surroundings } from "./surroundings.ts";

/** Does what the command line says. Throws `UsageError` for what it cannot understand. */
export async function dispatch(
  args: readonly string[],
  commands: readonly CommandSpec[],
  around: Surroundings,
): Promise<ExitCode> {
  const { stdout, stderr } = around;
  const [first] = args;
  if (first === undefined) {
    stderr.write(overview(commands));
    return EXIT.usage;
  }
  if (first === "--version" || first === "-V") {
    stdout.write(`tenrec ${version()}\n`);
    return EXIT.done;
  }
  if (first === "--help" || first === "-h" || (first === "help" && args.length === 1)) {
    stdout.write(overview(commands));
    return EXIT.done;
  }
  const parsed = parseCommand(first === "help" ? [...args.slice(1), "--help"] : args, commands);
  if (parsed.switches.has("help")) {
    stdout.write(commandHelp(parsed.spec));
    return EXIT.done;
  }
  return runParsed(parsed, commands, around);
}

// What a command needs is loaded when it is called, so that the help does not wait for it.
async function runParsed(
  parsed: ParsedCommand,
  commands: readonly CommandSpec[],
  around: Surroundings,
): Promise<ExitCode> {
  switch (parsed.spec.name) {
    case "run":
      return (await import("../run/run-command.ts")).runCommand(parsed, around);
    case "dev":
      return (await import("../dev/dev-command.ts")).devCommand(parsed, around);
    case "sessions":
      return (await import("../sessions/sessions-command.ts")).sessionsCommand(parsed, around);
    case "models":
      return (await import("../models/models-command.ts")).modelsCommand(around);
    case "doctor":
      return (await import("../doctor/doctor-command.ts")).doctorCommand(around);
    case "completion":
      return completionCommand(parsed, commands, around);
    default:
      throw new Error(`The command ${parsed.spec.name} has no implementation.`);
  }
}

function version(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
