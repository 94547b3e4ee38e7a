import { join } from "node:path";
import { claimState, createServer, isPortTaken, parseStartOptions, type Server, StartError } from "tenrec/local";
import { choosePaint, diffText, type Paint, SessionPrinter, summary, wrapStream } from "tenrec/terminal";
import { prompt } from "../src/prompt.ts";
import { importFolder } from "./import-folder.ts";
import { launch, type Launched, type LaunchOptions } from "./launch.ts";
import { playSession } from "./play-session.ts";
import { onStopSignal } from "./stop-signal.ts";

interface Running {
  readonly server: Server;
  /** Undefined when it was stopped before it ran. */
  readonly launched: Launched | undefined;
}

/** How often a free port is looked for. */
const TRIES = 3;

const root = join(import.meta.dirname, "..");
const write = (text: string): void => void process.stdout.write(text);
const paint: Paint = choosePaint(process.stdout.isTTY, process.env);
const width = Math.min(process.stdout.columns ?? 100, 120);

async function play({ session, url }: Launched, signal: AbortSignal): Promise<void> {
  write("\n");
  const asked = wrapStream((text) => write(paint("bold", text)), width, "> ");
  asked.add(prompt);
  asked.end();
  write("\n");
  const printer = new SessionPrinter({ write, paint, width, hint: `Answer in the page: ${url}` });
  const played = await playSession(session, { prompt, signal, onEvent: (event) => printer.add(event) });
  if (played.diffs.length > 0) write(`\n${diffText(played.diffs, paint)}`);
  if (played.events.some(({ type }) => type === "usage")) write(`\n${summary(played.events)}\n`);
  if (!played.done)
    write(`\n${paint("yellow", "The turn has ended without an answer. The page takes the next prompt.")}\n`);
}

async function fill({ session }: Launched): Promise<void> {
  const files = await importFolder(session, root);
  write(`\n${paint("dim", `${files} files of this folder are copied into the session. Your disk is not changed.`)}\n`);
}

/** The first session must not take the server with it: what goes wrong is told, and the page stays open. */
async function attempt(what: string, work: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!signal.aborted) write(`\n${paint("red", `${what}: ${(error as Error).message}`)}\n`);
    return false;
  }
}

async function serve(launched: Launched, run: boolean, stop: AbortSignal): Promise<void> {
  const { url, notes, isPlayable } = launched;
  for (const note of notes) write(`${note}\n`);
  write(`\nTenrec is running at ${paint("bold", url)}\n`);
  const isFilled = await attempt("The folder could not be imported", () => fill(launched), stop);
  if (run && isPlayable && isFilled) {
    const isPlayed = await attempt("The session could not be played", () => play(launched, stop), stop);
    if (stop.aborted && !isPlayed) write("The turn goes on at the next start.\n");
    if (!stop.aborted) write(`\nThe session is open at ${paint("bold", url)}\n`);
  }
  if (!stop.aborted) write("Press Ctrl+C to stop.\n");
}

/** Starts the Worker, and again on another port when somebody was quicker to take the free one. */
async function launchOnPort(options: LaunchOptions, stopped: Promise<undefined>): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const server = createServer(`${options.state.path}.log`);
    try {
      return { server, launched: await Promise.race([launch(server, options), stopped]) };
    } catch (error) {
      await server.stop();
      if (!isPortTaken(error) || options.port !== undefined || attempt === TRIES) throw error;
    }
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { port, run } = parseStartOptions(args, "npm start");
  const stop = onStopSignal();
  const stopped = new Promise<undefined>((resolve) => stop.addEventListener("abort", () => resolve(undefined)));
  const state = claimState(join(root, ".wrangler"));
  try {
    const { server, launched } = await launchOnPort({ root, port, state, env: process.env }, stopped);
    try {
      if (launched) void serve(launched, run, stop);
      const broken = launched ? await Promise.race([server.broken, stopped]) : undefined;
      if (broken !== undefined) throw new StartError(broken);
      write("\nStopping.\n");
    } finally {
      await server.stop();
    }
  } finally {
    state.release();
  }
}

// A terminal that was closed takes no more text, and that is no reason to stop halfway.
process.stdout.on("error", () => {});
try {
  await main(process.argv.slice(2));
  process.exitCode = 0;
} catch (error) {
  process.stderr.write(`\n${error instanceof StartError ? error.message : `tenrec: ${String(error)}`}\n`);
  process.exitCode = 1;
}
process.exit();
