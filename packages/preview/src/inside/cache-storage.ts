interface Entry {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** Of all that one app keeps; of more, what was put first is forgotten. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Stands in for `CacheStorage`, which isolates of a Worker Loader do not have: in memory, for as long as the isolate lives. */
export class CachesStandIn {
  readonly #now: () => number;
  readonly #caches = new Map<string, CacheStandIn>();
  readonly default: CacheStandIn;

  constructor(now: () => number) {
    this.#now = now;
    this.default = new CacheStandIn(now);
  }

  async open(name: string): Promise<CacheStandIn> {
    const cache = this.#caches.get(name) ?? new CacheStandIn(this.#now);
    this.#caches.set(name, cache);
    return cache;
  }
}

class CacheStandIn {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  async put(input: RequestInfo | URL, response: Response): Promise<void> {
    const { method, url } = askedFor(input);
    const { status, headers } = response;
    if (method !== "GET") throw new TypeError("Cannot cache response to non-GET request.");
    if (status === 206) throw new TypeError("Cannot cache response to a range request (206 Partial Content).");
    if (headers.get("vary")?.includes("*")) throw new TypeError("Cannot cache response with 'Vary: *' header.");
    const body = await response.arrayBuffer();
    const lifetime = lifetimeOf(headers, this.#now());
    if (lifetime <= 0) return;
    this.#drop(url);
    this.#entries.set(url, { status, headers: [...headers], body, expires: this.#now() + lifetime });
    this.#size += body.byteLength;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= MOST_BYTES) break;
      this.#drop(oldest);
    }
  }

  async match(input: RequestInfo | URL, options: { ignoreMethod?: boolean } = {}): Promise<Response | undefined> {
    const { method, url } = askedFor(input);
    if (method !== "GET" && !options.ignoreMethod) return undefined;
    const entry = this.#entries.get(url);
    if (!entry) return undefined;
    if (entry.expires <= this.#now()) {
      this.#drop(url);
      return undefined;
    }
    const { status, body } = entry;
    const headers = new Headers(entry.headers.map(([name, value]) => [name, value] as [string, string]));
    headers.set("cf-cache-status", "HIT");
    return new Response(body.byteLength === 0 && isEmpty(status) ? null : body, { status, headers });
  }

  async delete(input: RequestInfo | URL, options: { ignoreMethod?: boolean } = {}): Promise<boolean> {
    const { method, url } = askedFor(input);
    return method === "GET" || options.ignoreMethod === true ? this.#drop(url) : false;
  }

  #drop(url: string): boolean {
    this.#size -= this.#entries.get(url)?.body.byteLength ?? 0;
    return this.#entries.delete(url);
  }
}

function askedFor(input: RequestInfo | URL): { method: string; url: string } {
  const { method, url } = new Request(input);
  return { method, url: url.replace(/#.*$/, "") };
}

function isEmpty(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** For how many milliseconds a shared cache may keep an answer, which has to say so. */
function lifetimeOf(headers: Headers, now: number): number {
  const control = headers.get("cache-control")?.toLowerCase() ?? "";
  if (/\b(?:no-store|no-cache|private)\b/.test(control) || headers.has("set-cookie")) return 0;
  const seconds = /\bs-maxage=(\d+)/.exec(control)?.[1] ?? /\bmax-age=(\d+)/.exec(control)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const expires = Date.parse(headers.get("expires") ?? "");
  return Number.isNaN(expires) ? 0 : expires - now;
}
