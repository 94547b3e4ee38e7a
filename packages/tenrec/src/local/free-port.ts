import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

export const USUAL_PORT = 8787;
/** How many ports are tried. */
const TRIES = 50;

/** `wanted`, or else the first free port from `from` on. Throws `StartError` when the wanted one is taken. */
export async function freePort(wanted?: number, from: number = USUAL_PORT): Promise<number> {
  if (wanted !== undefined) {
    if (await isFree(wanted)) return wanted;
    throw new StartError(
      `Port ${wanted} cannot be used: it is taken, or needs more rights. Choose another with --port.`,
    );
  }
  for (let port = from; port < from + TRIES; port += 1) if (await isFree(port)) return port;
  throw new StartError(`No port from ${from} to ${from + TRIES - 1} is free. Choose one with --port.`);
}

/** A browser takes `localhost` for either address, so both must be free. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, "127.0.0.1")) && (await canListen(port, "::1"));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has nobody on that address.
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"),
    );
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
