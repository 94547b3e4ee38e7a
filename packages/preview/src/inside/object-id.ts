import { sha256Sync } from "./sha256-sync.ts";

/** The id of a Durable Object of the app. */
export class ObjectId {
  readonly #hex: string;
  readonly name?: string;

  constructor(hex: string, name?: string) {
    this.#hex = hex;
    if (name !== undefined) this.name = name;
  }

  toString(): string {
    return this.#hex;
  }

  equals(other: unknown): boolean {
    return String(other) === this.#hex;
  }
}

export function idFromName(className: string, name: string): ObjectId {
  return new ObjectId(sha256Sync(`${className}\n${name}`), name);
}

export function newUniqueId(): ObjectId {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return new ObjectId(Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

export function idFromString(hex: string): ObjectId {
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new TypeError("Invalid Durable Object ID: must be 64 hex digits");
  }
  return new ObjectId(hex.toLowerCase());
}
