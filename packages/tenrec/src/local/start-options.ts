import { parseArgs } from "node:util";
import { StartError } from "./start-error.ts";

export interface StartOptions {
  /** Absent: the usual port, or another one where that is taken. */
  readonly port?: number;
  /** Whether the first session is played. */
  readonly run: boolean;
}

/** What `command`, such as `npm start`, was told. Throws `StartError` for what is no option. */
export function parseStartOptions(args: readonly string[], command: string): StartOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { port: { type: "string" }, "no-run": { type: "boolean", default: false } },
    });
    const run = !values["no-run"];
    return values.port === undefined ? { run } : { run, port: portNumber(values.port) };
  } catch (error) {
    const usage = `usage: ${command} [-- --port <port>] [-- --no-run]`;
    throw new StartError(`${(error as Error).message}\n${usage}`);
  }
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`"${text}" is no port: give a number from 1 to 65535.`);
}
