import { stripVTControlCharacters } from "node:util";
import { COMMANDS } from "./cli/specs.ts";
import { dispatch } from "./cli/dispatch.ts";
import { EXIT } from "./cli/exit-code.ts";
import { explainError } from "./cli/explain-error.ts";
import { readSurroundings } from "./cli/read-surroundings.ts";
import { onInterrupts } from "./run/interrupts.ts";

// Where nobody reads any more there is nobody to work for; the session is kept.
process.stdout.on("error", () => process.exit(EXIT.failed));
process.stderr.on("error", () => {});

const leave = (code: number): never => {
  if (process.stderr.isTTY) process.stderr.write("\n");
  process.exit(code);
};
try {
  const around = readSurroundings(process, onInterrupts(leave));
  process.exitCode = await dispatch(process.argv.slice(2), COMMANDS, around);
} catch (error) {
  const { message, exitCode } = explainError(error);
  process.stderr.write(`${stripVTControlCharacters(message)}\n`);
  process.exitCode = exitCode;
}
// A connection that is kept alive, or a terminal that was read from, is no reason to wait.
process.exit();
