import { join } from "node:path";
import { type AgentClient, connect } from "@tenrec/runtime/client";
import { readVariables } from "../local/secrets.ts";
import { createServer } from "../local/server.ts";
import { isPortTaken } from "../local/start-error.ts";
import { unlessStopped } from "./interrupts.ts";
import { awaitOldServer, rememberServer } from "./old-server.ts";
import type { WorkerOptions } from "../worker/worker-options.ts";

export interface LocalAgentOptions {
  /** Where its storage, its secrets and its log are kept. Nobody else may be using it. */
  readonly folder: string;
  readonly options: WorkerOptions;
  /** Keys and addresses of models. */
  readonly variables: Readonly<Record<string, string>>;
  /** Default: any free one. */
  readonly port?: number;
}

export interface LocalAgent extends AsyncDisposable {
  readonly agent: AgentClient;
  readonly token: string;
  /** Resolves with a text when the server ends by itself. */
  readonly broken: Promise<string>;
}

const CONFIG = join(import.meta.dirname, "../../wrangler.jsonc");

/** How often a free port is looked for. */
const TRIES = 3;

/** Runs the Worker in workerd, in processes that end with this one. Throws `StartError`. */
export async function startAgent(options: LocalAgentOptions): Promise<LocalAgent> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Miniflare starts workerd more than once, and wants the free port of the first time again.
      if (!isPortTaken(error) || options.port !== undefined || attempt === TRIES) throw error;
    }
  }
}

async function startOnce({ folder, options, variables, port = 0 }: LocalAgentOptions): Promise<LocalAgent> {
  await awaitOldServer(folder);
  const server = createServer(join(folder, "server.log"));
  try {
    rememberServer(folder, server.pid);
    const secrets = readVariables(join(folder, "secrets.env"));
    const { TENREC_TOKEN: token, TENREC_SECRET: secret = "" } = secrets;
    const own = { TENREC_TOKEN: token, TENREC_SECRET: secret, TENREC_OPTIONS: JSON.stringify(options) };
    const state = join(folder, "state");
    const used = await server.start({ config: CONFIG, port, state, variables: { ...variables, ...own } });
    const agent = connect(`http://127.0.0.1:${used}/agents/coder/local`, { token });
    return { agent, token, broken: server.broken, [Symbol.asyncDispose]: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Rejects with `Interrupted` as soon as `stop` aborts; what was started by then is stopped. */
export async function startAgentUnlessStopped(options: LocalAgentOptions, stop: AbortSignal): Promise<LocalAgent> {
  const starting = startAgent(options);
  try {
    return await unlessStopped(starting, stop);
  } catch (error) {
    void starting.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
    throw error;
  }
}
