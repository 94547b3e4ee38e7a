import { join } from "node:path";
import { bundleWorker } from "./bundle-worker.ts";
import type { CleanUp } from "./clean-up.ts";
import { startWorkerd, type Workerd } from "./workerd.ts";

const TIMEOUT_MS = 300_000;

/** A subject in Durable Objects of a workerd of its own. */
export interface WorkerSubject {
  readonly name: string;
  /** Of the workerd that runs now, as is `url`. */
  readonly pid: () => number;
  readonly url: () => string;
  /** A request that asks for nothing. */
  readonly way: () => Promise<void>;
  /** Asks an object to do something; `full` for the whole answer. Throws what the Worker threw. */
  post(object: string, operation: string, body: unknown, options?: PostOptions): Promise<string>;
  /** A new workerd on what is stored. */
  restart(v8Flags?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

interface PostOptions {
  readonly full?: boolean;
  readonly timeoutMs?: number;
}

/** Where a subject's Worker is, and what it is given. */
export interface WorkerSource {
  readonly name: string;
  /** The Worker's module. */
  readonly entry: string;
  /** Of this run; bundle and storage get folders of their own in it. */
  readonly folder: string;
  /** As for `startWorkerd`. */
  readonly bindings?: readonly string[];
  readonly cleanUp: CleanUp;
}

export async function startWorkerSubject(source: WorkerSource): Promise<WorkerSubject> {
  const { name, entry, folder, bindings = [], cleanUp } = source;
  const bundle = join(folder, name, "bundle");
  const module = await bundleWorker(entry, bundle);
  const start = (v8Flags: readonly string[]): Promise<Workerd> =>
    startWorkerd({ folder: bundle, module, state: join(folder, name, "state"), v8Flags, bindings, cleanUp });
  let workerd = await start([]);
  const post: WorkerSubject["post"] = async (object, operation, body, options = {}) => {
    const { full = false, timeoutMs = TIMEOUT_MS } = options;
    const response = await fetch(`${workerd.url}/${object}/${operation}`, {
      method: "POST",
      body: isBytes(body) ? body : JSON.stringify(body),
      headers: full ? { "x-answer": "full" } : {},
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name} failed: ${text}`);
    return text;
  };
  return {
    name,
    pid: () => workerd.pid,
    url: () => workerd.url,
    way: async () => void (await post("nobody", "empty", "")),
    post,
    async restart(v8Flags = []) {
      await workerd.stop();
      workerd = await start(v8Flags);
    },
    stop: () => workerd.stop(),
  };
}

// What a tar file is read into.
function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array;
}
