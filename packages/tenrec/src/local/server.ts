import { fork } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { FromServer, ToServer } from "./server-messages.ts";
import { StartError } from "./start-error.ts";

export interface Server {
  /** Of its process, and of the group that it and workerd are in. */
  readonly pid: number | undefined;
  /** Starts workerd and resolves with its port when it answers. Throws `StartError`. */
  start(message: ToServer): Promise<number>;
  /** Resolves with a text when the server ends without having been asked to. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/** How long the Worker may take to answer for the first time. In milliseconds. */
const READY_MS = 120_000;
const SHOWN_LOG_LINES = 20;

/** A pattern of a previewed app that tries too many ways is matched again in linear time, where V8 can; else it would stop all. */
const LINEAR_REGEXP = "--enable-experimental-regexp-engine-on-excessive-backtracks";

const RESTARTED =
  "The server stood still, most likely in code of a previewed app, and was started again. Sessions go on where they were.";

/**
 * Loads wrangler in a process of its own; what it prints goes to `log`. A Worker that stands still is started again on its
 * port, about half a minute later, and `say` is told.
 */
export function createServer(log: string, say: (text: string) => void = warn): Server {
  const output = openSync(log, "w", 0o600);
  const child = fork(new URL("./server-process.ts", import.meta.url), {
    // A group of its own: Ctrl+C reaches this process only, which then stops the other in order.
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
    env: {
      ...process.env,
      WRANGLER_BUILD_CONDITIONS: "tenrec-source,workerd,worker,browser",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      MINIFLARE_WORKERD_V8_FLAGS: [process.env["MINIFLARE_WORKERD_V8_FLAGS"], LINEAR_REGEXP].filter(Boolean).join(" "),
    },
  });
  closeSync(output);
  let stopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const failure = new Promise<string>((resolve) => {
    child.on("message", (message: FromServer) => {
      if (message.type === "failed") resolve(message.message);
    });
    void ended.then(() => resolve("the server's process ended"));
  });
  child.on("message", (message: FromServer) => {
    if (message.type === "restarted") say(RESTARTED);
  });
  const ready = new Promise<number>((resolve) => {
    child.on("message", (message: FromServer) => {
      if (message.type === "ready") resolve(message.port);
    });
  });
  const explain = (reason: string): string =>
    [reason.split("\n")[0], excerpt(log), `More is in ${log}.`].filter(Boolean).join("\n\n");

  return {
    pid: child.pid,
    async start(message) {
      // A process that has ended is told by `ended`.
      child.send(message, () => {});
      const failed = failure.then((reason) => {
        throw new StartError(`The Worker could not be started: ${explain(reason)}`);
      });
      failed.catch(() => {});
      const port = await Promise.race([ready, failed]);
      await Promise.race([answers(`http://127.0.0.1:${port}/`), failed]);
      return port;
    },
    broken: new Promise((resolve) => {
      void ended.then(() => {
        if (!stopping) resolve(explain("The server has ended unexpectedly."));
      });
    }),
    async stop() {
      stopping = true;
      if (child.connected) child.disconnect();
      await ended;
      killGroup(child.pid);
    },
  };
}

function warn(text: string): void {
  process.stderr.write(`\n${text}\n`);
}

async function answers(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READY_MS) }).catch((error: unknown) => {
    throw new StartError(`The Worker does not answer at ${url}: ${(error as Error).message}`);
  });
  await response.body?.cancel();
}

/** From the first error on. */
function excerpt(file: string): string {
  const lines = stripVTControlCharacters(readFileSync(file, "utf8")).trim().split("\n");
  const first = lines.findIndex((line) => line.includes("[ERROR]"));
  const shown = first === -1 ? [] : lines.slice(first, first + SHOWN_LOG_LINES);
  return shown.map((line) => `  ${line}`).join("\n");
}

/** workerd, where the process that should have stopped it was itself killed. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of it.
  }
}
