import { join } from "node:path";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** How long a server may take to answer, and a run to reach its point. In milliseconds. */
const PATIENCE_MS = 60_000;

/** workerd in a process group of its own, on storage that outlives it. */
export class Server {
  readonly #child: ChildProcess;
  readonly #url: Promise<string>;
  readonly #ended: Promise<never>;
  #output = "";
  #onOutput: () => void = () => {};

  /** Starts it on the storage of a folder, with variables of the Worker. Default: on a free port, without TLS. */
  constructor(
    config: string,
    folder: string,
    variables: { readonly [name: string]: string } = {},
    port = 0,
    protocol: "http" | "https" = "http",
  ) {
    const values = [config, folder, JSON.stringify(variables), `${port}`, protocol];
    this.#child = fork(join(import.meta.dirname, "server-process.ts"), values, {
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...process.env,
        WRANGLER_BUILD_CONDITIONS: "tenrec-source,workerd,worker,browser",
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
      },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
        this.#onOutput();
      });
    }
    this.#url = once(this.#child, "message").then(([url]) => String(url));
    this.#ended = once(this.#child, "exit").then(() => {
      throw new Error(`The server has ended:\n${this.#output.slice(-2000)}`);
    });
    // Told to whoever asks.
    this.#url.catch(() => {});
    this.#ended.catch(() => {});
  }

  /** Resolves with the answer to a question to an object. Throws what the object does. */
  async ask<T>(object: string, question: object): Promise<T> {
    const response = await fetch(await this.address(object), { method: "POST", body: JSON.stringify(question) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }

  /** Where an object is, once the server runs. */
  async address(object: string): Promise<string> {
    return `${await Promise.race([this.#url, this.#ended])}${object}`;
  }

  /** Resolves with true when a Worker has said that it reached this point, with false when it does not. */
  async reached(id: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    this.#onOutput = () => {
      if (this.#output.includes(`reached ${id}.`)) resolve(true);
    };
    this.#onOutput();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#onOutput = () => {};
    }
  }

  /** SIGKILL for workerd and what started it. Nothing of it runs any more when this resolves. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    const exited = this.#child.exitCode === null ? once(this.#child, "exit") : undefined;
    // Nobody is in this group but the process that was forked, and its children.
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
    await exited;
    while (pid !== undefined && isGroupAlive(pid)) await new Promise((done) => setTimeout(done, 5));
  }
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
