import type { GatewayBinding } from "./gateway-binding.ts";

type GetType = "text" | "json" | "arrayBuffer" | "stream";
interface GetOptions {
  readonly type?: GetType;
}
interface Found {
  readonly value: ArrayBuffer;
  readonly metadata: string | null;
}
interface Value {
  readonly value: unknown;
  readonly metadata: unknown;
}
interface ListAnswer {
  readonly keys: readonly { readonly name: string; readonly expiration?: number; readonly metadata: string | null }[];
  readonly cursor?: string;
}

const MOST_VALUE_BYTES = 25 * 1024 * 1024;
const MOST_KEY_BYTES = 512;
const MOST_METADATA_BYTES = 1024;
const MOST_KEYS = 100;
const MOST_LISTED = 1000;

/** Stands in for `KVNamespace`. */
export class KvStandIn {
  readonly #gateway: GatewayBinding;
  readonly #binding: string;

  constructor(gateway: GatewayBinding, binding: string) {
    this.#gateway = gateway;
    this.#binding = binding;
  }

  async get(key: string | readonly string[], options?: GetType | GetOptions): Promise<unknown> {
    if (typeof key === "string") return (await this.#read("GET", key, typeOf(options))).value;
    const found = await this.#readMany(key, options);
    return new Map([...found].map(([name, { value }]) => [name, value]));
  }

  async getWithMetadata(key: string | readonly string[], options?: GetType | GetOptions): Promise<unknown> {
    if (typeof key === "string") return { ...(await this.#read("GET", key, typeOf(options))), cacheStatus: null };
    return this.#readMany(key, options);
  }

  async put(key: string, value: unknown, options: Record<string, unknown> = {}): Promise<void> {
    checkKey("PUT", key);
    const bytes = await bytesOf(value);
    if (bytes.byteLength > MOST_VALUE_BYTES) {
      throw failure("PUT", 413, `Value length of ${bytes.byteLength} exceeds limit of ${MOST_VALUE_BYTES}.`);
    }
    const { expiration, expirationTtl, metadata } = options;
    const json = metadata === undefined || metadata === null ? null : JSON.stringify(metadata);
    if (json !== null && new TextEncoder().encode(json).byteLength > MOST_METADATA_BYTES) {
      throw failure("PUT", 413, `Metadata length of ${json.length} exceeds limit of ${MOST_METADATA_BYTES}.`);
    }
    const until = expiresAt(expiration, expirationTtl);
    await this.#call("put", [key, bytes, { metadata: json, expiration: until }]);
  }

  async delete(key: string | readonly string[]): Promise<void> {
    const keys = [key].flat();
    for (const each of keys) checkKey("DELETE", each);
    await this.#call("delete", [keys]);
  }

  async list(
    options: { prefix?: string | null; limit?: number | null; cursor?: string | null } = {},
  ): Promise<unknown> {
    const limit = options.limit && options.limit > 0 ? options.limit : MOST_LISTED;
    if (limit > MOST_LISTED) {
      const advice = `Please specify an integer less than ${MOST_LISTED}.`;
      throw failure("GET", 400, `Invalid key_count_limit of ${limit}. ${advice}`);
    }
    const query = { prefix: options.prefix ?? "", limit, cursor: options.cursor ?? "" };
    const { keys, cursor } = (await this.#call("list", [query])) as ListAnswer;
    return {
      keys: keys.map(({ name, expiration, metadata }) => ({
        name,
        ...(expiration === undefined ? {} : { expiration }),
        ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
      })),
      list_complete: cursor === undefined,
      ...(cursor === undefined ? {} : { cursor }),
      cacheStatus: null,
    };
  }

  async #readMany(keys: readonly string[], options: GetType | GetOptions | undefined): Promise<Map<string, Value>> {
    const type = typeOf(options);
    if (type !== "text" && type !== "json") {
      throw failure("GET_BULK", 400, `"${type}" is not a valid type. Use "json" or "text"`);
    }
    if (keys.length > MOST_KEYS) throw failure("GET_BULK", 400, `You can request a maximum of ${MOST_KEYS} keys`);
    return new Map(await Promise.all(keys.map(async (key) => [key, await this.#read("GET", key, type)] as const)));
  }

  async #read(method: string, key: string, type: GetType): Promise<Value> {
    checkKey(method, key);
    const found = (await this.#call("get", [key])) as Found | null;
    if (!found) return { value: null, metadata: null };
    return {
      value: decoded(found.value, type),
      metadata: found.metadata === null ? null : (JSON.parse(found.metadata) as unknown),
    };
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#gateway.storage("kv", this.#binding, method, args);
  }
}

function typeOf(options: GetType | GetOptions | undefined): GetType {
  const type = (typeof options === "string" ? options : options?.type) ?? "text";
  if (["text", "json", "arrayBuffer", "stream"].includes(type)) return type;
  throw new TypeError('Unknown response type. Possible types are "text", "arrayBuffer", "json", and "stream".');
}

function decoded(bytes: ArrayBuffer, type: GetType): unknown {
  if (type === "arrayBuffer") return bytes;
  if (type === "stream") return new Response(bytes).body;
  const text = new TextDecoder().decode(bytes);
  return type === "json" ? (JSON.parse(text) as unknown) : text;
}

async function bytesOf(value: unknown): Promise<ArrayBuffer> {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof ReadableStream) {
    return new Response(value as BodyInit).arrayBuffer();
  }
  if (typeof value === "function" || (typeof value === "object" && value !== null)) {
    throw new TypeError(
      "KV put() accepts only strings, ArrayBuffers, ArrayBufferViews, and ReadableStreams as values.",
    );
  }
  return new Response(String(value)).arrayBuffer();
}

function expiresAt(expiration: unknown, ttl: unknown): number | null {
  const now = Math.floor(Date.now() / 1000);
  if (ttl !== undefined && ttl !== null) {
    const seconds = wholeNumber(ttl);
    if (seconds <= 0) {
      throw failure("PUT", 400, `Invalid expiration_ttl of ${seconds}. Please specify integer greater than 0.`);
    }
    if (seconds < 60)
      throw failure("PUT", 400, `Invalid expiration_ttl of ${seconds}. Expiration TTL must be at least 60.`);
    return now + seconds;
  }
  if (expiration === undefined || expiration === null) return null;
  const at = wholeNumber(expiration);
  if (at <= now) {
    throw failure(
      "PUT",
      400,
      `Invalid expiration of ${at}. Please specify integer greater than the current number of seconds since the UNIX epoch.`,
    );
  }
  if (at < now + 60) {
    throw failure(
      "PUT",
      400,
      `Invalid expiration of ${at}. Expiration times must be at least 60 seconds in the future.`,
    );
  }
  return at;
}

/** As the platform reads a number: what is none is 0. */
function wholeNumber(value: unknown): number {
  return Math.trunc(Number(value)) || 0;
}

function checkKey(method: string, key: unknown): void {
  const text = String(key);
  if (text === "") throw new TypeError("Key name cannot be empty.");
  if (text === "." || text === "..") throw new TypeError(`"${text}" is not allowed as a key name.`);
  const size = new TextEncoder().encode(text).byteLength;
  if (size > MOST_KEY_BYTES)
    throw failure(method, 414, `UTF-8 encoded length of ${size} exceeds key length limit of ${MOST_KEY_BYTES}.`);
}

function failure(method: string, status: number, reason: string): Error {
  return new Error(`KV ${method} failed: ${status} ${reason}`);
}
