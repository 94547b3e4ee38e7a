// The process in which wrangler runs, apart from the one that talks to the user: what wrangler and workerd print goes to
// a log, and when the other process ends, however it ends, this one stops workerd and ends too.
import { resolveNames } from "./resolve-names.ts";
import type { FromServer, ToServer } from "./server-messages.ts";

type StartWorker = (options: object) => Promise<RunningWorker>;

/** An error, or what wrangler tells about one. */
interface Trouble {
  readonly message?: string;
  readonly reason?: string;
  readonly cause?: { readonly message?: string };
}

interface RunningWorker {
  readonly ready: Promise<void>;
  readonly url: Promise<URL>;
  readonly raw: { on(event: "error" | "buildFailed", listener: (trouble: Trouble) => void): void };
  dispose(): Promise<void>;
}

/** How long workerd may take to stop. In milliseconds. */
const STOP_MS = 5000;

let running: RunningWorker | undefined;

function tell(message: FromServer): void {
  process.send?.(message);
}

function fail(error: unknown): void {
  tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
}

async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await running?.dispose();
  process.exit(0);
}

async function serve({ config, port, state, variables }: ToServer): Promise<void> {
  const wrangler = (await import("wrangler")) as unknown as { unstable_startWorker: StartWorker };
  const bindings = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, { type: "secret_text", value }]),
  );
  running = await wrangler.unstable_startWorker({
    config,
    bindings: { ...bindings, TENREC_NAMES: { type: "fetcher", fetcher: resolveNames } },
    dev: {
      server: { hostname: "127.0.0.1", port },
      inspector: false,
      persist: state,
      watch: false,
      liveReload: false,
    },
  });
  running.raw.on("buildFailed", () => tell({ type: "failed", message: "its code could not be bundled." }));
  running.raw.on("error", ({ message, reason, cause }) => {
    tell({ type: "failed", message: message ?? [reason, cause?.message].filter(Boolean).join(": ") });
  });
  await running.ready;
  tell({ type: "ready", port: Number((await running.url).port) });
}

process.once("disconnect", () => void stop());
process.once("message", (message: ToServer) => void serve(message).catch(fail));
// Loading wrangler takes a second; by then the first message is here.
void import("wrangler").catch(fail);
