// The process in which wrangler runs, apart from the one that talks to the user: what wrangler and workerd print goes to
// a log, and when the other process ends, however it ends, this one stops workerd and ends too.
import { resolveNames } from "./resolve-names.ts";
import type { FromServer, ToServer } from "./server-messages.ts";
import { untilSilent } from "./until-silent.ts";

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

/**
 * How long an answer may take. In milliseconds. Code of a previewed app can stand still in one call of the engine, and all of
 * workerd with it, which the platform ends and workerd does not.
 */
const PATIENCE_MS = 10_000;
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

async function serve(message: ToServer): Promise<void> {
  let worker = await launch(message);
  const port = Number((await worker.url).port);
  tell({ type: "ready", port });
  for (;;) {
    await untilSilent(`http://127.0.0.1:${port}/`, message.patience ?? PATIENCE_MS);
    console.error("tenrec: the Worker stands still, and is started again");
    await worker.dispose();
    worker = await launch({ ...message, port });
    tell({ type: "restarted" });
  }
}

async function launch({ config, port, state, variables }: ToServer): Promise<RunningWorker> {
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
  return running;
}

process.once("disconnect", () => void stop());
process.once("message", (message: ToServer) => {
  // Without a Worker there is nothing to wait for here; the other process hears both.
  void serve(message).catch((error: unknown) => {
    fail(error);
    process.disconnect();
  });
});
// Loading wrangler takes a second; by then the first message is here.
void import("wrangler").catch(fail);
