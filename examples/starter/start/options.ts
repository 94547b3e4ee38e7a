import { parseArgs } from "node:util";
import { StartError } from "tenrec/local";

export interface Options {
  /** Absent: the usual port, or another one where that is taken. */
  readonly port?: number;
  /** Whether the first session is played. */
  readonly run: boolean;
}

const USAGE = "usage: npm start [-- --port <port>] [-- --no-run]";

/** Throws `StartError` for what is no option. */
export function parseOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { port: { type: "string" }, "no-run": { type: "boolean", default: false } },
    });
    const run = !values["no-run"];
    return values.port === undefined ? { run } : { run, port: portNumber(values.port) };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${(error as Error).message}\n${USAGE}`);
  }
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`"${text}" is no port: give a number from 1 to 65535.\n${USAGE}`);
}
