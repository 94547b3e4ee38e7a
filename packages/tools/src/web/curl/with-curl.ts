import type { Gate } from "@tenrec/protocol";
import { createEgress } from "../egress.ts";
import type { CurlPort } from "./curl-port.ts";
import { runCurl } from "./run-curl.ts";

export interface RanCurl {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly files: ReadonlyMap<string, string>;
  /** What was told right before it went out. */
  readonly told: readonly string[];
  /** Milliseconds that were slept. */
  readonly slept: readonly number[];
}

export interface CurlWorld {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly gate?: Gate;
  readonly localHosts?: readonly string[];
  readonly signal?: AbortSignal;
  /** Default: curl. */
  readonly run?: typeof runCurl;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs curl over files in a map. */
export async function withCurl(args: readonly string[], world: CurlWorld): Promise<RanCurl> {
  const { fetch, localHosts = [], gate = { require: () => {} }, run = runCurl } = world;
  const files = new Map(Object.entries(world.files ?? {}));
  const told: string[] = [];
  const slept: number[] = [];
  const port: CurlPort = {
    by: "curl",
    egress: createEgress({ fetch, gate, localHosts }),
    signal: world.signal ?? new AbortController().signal,
    onSend: (target) => told.push(target),
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw new Error(`ENOENT: ${path}`);
      return bytes(text);
    },
    writeFile: async (path, content) => void files.set(path, new TextDecoder().decode(content)),
    readStdin: () => bytes(world.stdin ?? ""),
    now: () => slept.length,
    sleep: async (ms) => void slept.push(ms),
  };
  const { stdout, stderr, exitCode } = await run(args, port);
  return { stdout: new TextDecoder().decode(stdout), stderr, exitCode, files, told, slept };
}
