import { type Egress, TenrecError } from "@tenrec/protocol";
import type { RegistryConfig } from "./registry-config.ts";

/** What is fetched, for the texts of errors. */
interface Wanted {
  /** `name` or `name@version`. */
  readonly package: string;
  readonly accept?: string;
  /** Most bytes of the answer. */
  readonly maxBytes: number;
}

/** Milliseconds for one answer. */
const TIMEOUT = 60_000;

/** The way to registries. */
export interface RegistryClient {
  readonly config: RegistryConfig;
  /**
   * The whole answer. Throws `package-not-found`, `registry-unauthorized`, `package-too-large`, `registry-failed` for another
   * status, what `Egress` throws where the registry cannot be reached, and `signal.reason` on abort.
   */
  get(url: string, wanted: Wanted, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

export function createRegistryClient(egress: Egress, config: RegistryConfig): RegistryClient {
  return { config, get: (url, wanted, signal) => get(egress, config, url, wanted, signal) };
}

async function get(
  egress: Egress,
  config: RegistryConfig,
  url: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const token = config.tokenFor(url);
  const headers = {
    accept: wanted.accept ?? "*/*",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const { maxBytes } = wanted;
  const response = await egress.fetch({ url, headers, maxBytes, timeout: TIMEOUT, signal });
  const body = response.body[Symbol.asyncIterator]();
  try {
    checkStatus(response.status, url, wanted.package);
    const chunks: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await body.next();
      if (done) return join(chunks);
      chunks.push(value);
    }
  } catch (error) {
    if (error instanceof TenrecError && error.code === "response-too-large") {
      throw new TenrecError("package-too-large", { package: wanted.package, limit: maxBytes }, { cause: error });
    }
    throw error;
  } finally {
    await body.return?.();
  }
}

function checkStatus(status: number, url: string, wanted: string): void {
  if (status === 200) return;
  const { host } = new URL(url);
  if (status === 401 || status === 403)
    throw new TenrecError("registry-unauthorized", { package: wanted, registry: host });
  if (status === 404 || status === 410) throw new TenrecError("package-not-found", { package: wanted, registry: host });
  throw new TenrecError("registry-failed", {
    package: wanted,
    registry: host,
    reason: `it answers with status ${status}`,
  });
}

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
