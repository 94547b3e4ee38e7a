import type { Egress } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { readBody } from "../web/read-body.ts";
import type { Packument, PublishedManifest } from "./manifest.ts";
import { needsNpm, npmError } from "./npm-refusal.ts";
import type { NpmSpec } from "./npm-spec.ts";
import { pickVersion } from "./pick-version.ts";

/** What a registry knows. Each name is asked for once. */
export interface Registry {
  /** The version that npm takes. Throws `NpmRefusal` for a name or a version that there is not. */
  pick(name: string, spec: NpmSpec): Promise<PublishedManifest>;
  /** All that is said of a version, where `pick` had a short form; undefined where nothing more is known. */
  details(name: string, version: string): Promise<PublishedManifest | undefined>;
}

/** The short form, without which some packages have tens of MB. */
const SHORT = "application/vnd.npm.install-v1+json";

const MAX_BYTES = 12 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** As many as the platform lets wait for an answer at a time. */
const AT_ONCE = 5;

interface Known {
  /** Undefined where it is too large. */
  readonly packument?: Packument;
  readonly isShort: boolean;
}

export interface RegistryOptions {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  /** The address of the registry that has a name, without a slash at its end. */
  readonly addressOf: (name: string) => string;
}

export function createRegistry({ egress, signal, addressOf }: RegistryOptions): Registry {
  const known = new Map<string, Promise<Known>>();
  const turns = createTurns(AT_ONCE);
  const get = async (name: string, path: string): Promise<{ json: unknown; isShort: boolean } | "large" | number> => {
    const url = `${addressOf(name)}/${name.replace("/", "%2f")}${path}`;
    const headers = { accept: `${SHORT}; q=1.0, application/json; q=0.8, */*`, "user-agent": "npm/11 tenrec" };
    const response = await egress.fetch({ url, headers, maxBytes: MAX_BYTES, timeout: TIMEOUT_MS, signal, by: "npm" });
    const { bytes, isCut } = await readBody(response.body);
    if (response.status !== 200) return response.status;
    if (isCut) return "large";
    const isShort = response.headers.get("content-type")?.includes(SHORT) ?? false;
    return { json: parse(bytes, url), isShort };
  };
  const ask = async (name: string): Promise<Known> => {
    const found = await turns(() => get(name, ""));
    if (typeof found === "number") throw refused(name, found, addressOf(name));
    if (found === "large") return { isShort: false };
    return { packument: { ...(found.json as Packument), name }, isShort: found.isShort };
  };
  const packument = (name: string): ReturnType<typeof ask> => {
    const asked = known.get(name) ?? ask(name);
    known.set(name, asked);
    return asked;
  };
  // Of a name with too many versions to hold, one can be asked for, but not a range.
  const pickOne = async (name: string, { type, text }: NpmSpec): Promise<PublishedManifest> => {
    const isLatest = type === "range" && text === "*";
    if (type === "range" && !isLatest)
      throw needsNpm(`what the registry says of ${name} has more than ${MAX_BYTES} bytes, too much to find ${text} in`);
    const found = await turns(() => get(name, `/${isLatest ? "latest" : text}`));
    if (typeof found === "object") return found.json as PublishedManifest;
    throw found === "large" ? needsNpm(`${name}@${text} is too large`) : refused(name, found, addressOf(name));
  };
  return {
    pick: async (name, spec) => {
      const { packument: all } = await packument(name);
      return all ? pickVersion(all, spec) : pickOne(name, spec);
    },
    details: async (name, version) => {
      if (!(await packument(name)).isShort) return undefined;
      try {
        const found = await turns(() => get(name, `/${version}`));
        return typeof found === "object" ? (found.json as PublishedManifest) : undefined;
      } catch (error) {
        if (hasCode(error, "fetch-failed") || hasCode(error, "timeout")) return undefined;
        throw error;
      }
    },
  };
}

function parse(bytes: Uint8Array, url: string): unknown {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof json === "object" && json !== null) return json;
  } catch {
    // Told below.
  }
  throw npmError(`the answer of ${url} is not what a registry says`);
}

function refused(name: string, status: number, address: string): Error {
  if (status === 404) return npmError(`code E404\n404 Not Found - GET ${address}/${name} - Not found`);
  if (status === 401 || status === 403) return needsNpm(`code E${status}\n${address} wants a login for ${name}`);
  return npmError(`code E${status}\n${address} answers with status ${status} for ${name}; try again later`);
}

/** Runs no more than so many at a time. */
function createTurns(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
