import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { COMPATIBILITY_DATE } from "./bundle-worker.ts";
import type { CleanUp } from "./clean-up.ts";

/** A workerd with one Worker, whose Durable Objects have their SQLite on disk. */
export interface Workerd {
  readonly pid: number;
  /** Without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface WorkerdOptions {
  /** Where the bundled Worker is. */
  readonly folder: string;
  readonly module: string;
  /** Where the objects are stored. */
  readonly state: string;
  readonly v8Flags?: readonly string[];
  /** Bindings besides that of the objects, as workerd's configuration writes them: `(name = "A", text = "b")`. */
  readonly bindings?: readonly string[];
  readonly cleanUp: CleanUp;
}

const LAST_LINES = 20;

/**
 * workerd itself, without the proxies of a development server before it: a request has one hop, and the process whose
 * memory is measured runs this Worker alone.
 */
export async function startWorkerd(options: WorkerdOptions): Promise<Workerd> {
  const { folder, state, cleanUp } = options;
  await mkdir(state, { recursive: true });
  const config = join(folder, "workerd.capnp");
  const wasm = (await readdir(folder)).filter((name) => name.endsWith(".wasm"));
  await writeFile(config, configText(options, wasm));
  const child = spawn(workerdPath(), ["serve", config, "--experimental", "--control-fd=3"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const kill = cleanUp.add(() => child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const log: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output as Readable }).on("line", (line) => {
      if (log.push(line) > LAST_LINES) log.shift();
    });
  }
  const port = await Promise.race([
    portFrom(child.stdio[3] as Readable),
    exited.then(() => {
      throw new Error(`workerd ended:\n${log.join("\n")}`);
    }),
  ]);
  return {
    pid: child.pid ?? -1,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      kill();
    },
  };
}

async function portFrom(control: Readable): Promise<number> {
  for await (const line of createInterface({ input: control })) {
    const message = JSON.parse(line) as { event: string; port?: number };
    if (message.event === "listen" && message.port !== undefined) return message.port;
  }
  return new Promise<never>(() => {});
}

// wrangler's own, so that there is one version.
function workerdPath(): string {
  const ofWrangler = createRequire(import.meta.resolve("wrangler"));
  return (ofWrangler("workerd") as { default: string }).default;
}

// Objects stay in memory: while one subject is measured the others wait, and must not start cold after that. What they
// reach on this machine is a server of the benchmark. `agents` imports `cloudflare:email`, whose inside comes from wrangler's
// development server; nobody here sends one.
function configText({ module, state, v8Flags = [], bindings = [] }: WorkerdOptions, wasm: readonly string[]): string {
  const text = (value: string): string => JSON.stringify(value);
  const modules = [
    `(name = ${text(module)}, esModule = embed ${text(module)})`,
    ...wasm.map((name) => `(name = ${text(name)}, wasm = embed ${text(name)})`),
  ];
  const bound = [`(name = "SUBJECTS", durableObjectNamespace = "Subject")`, ...bindings];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "bench", worker = .worker),
    (name = "internet", network = (allow = ["public", "local"])),
    (name = "disk", disk = (path = ${text(state)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "bench")],
  extensions = [(modules = [
    (name = "cloudflare-internal:email", internal = true, esModule = "export default {}; export class EmailMessage {}"),
  ])],
  v8Flags = [${v8Flags.map(text).join(", ")}],
);

const worker :Workerd.Worker = (
  modules = [${modules.join(", ")}],
  compatibilityDate = ${text(COMPATIBILITY_DATE)},
  durableObjectNamespaces = [(className = "Subject", uniqueKey = "bench", enableSql = true, preventEviction = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [${bound.join(", ")}],
);
`;
}
