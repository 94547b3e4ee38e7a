import { hash } from "node:crypto";
import { FAN_WIDTH } from "./node.ts";

/** Where the names of a fanned-out directory go: bytes of the name's SHA-256, one for each level. */
export type NameKey = Uint8Array;

export function nameKey(name: string): NameKey {
  return hash("sha256", name, "buffer");
}

/** The child of a fan at this depth in which a name with this key is. */
export function fanIndex(key: NameKey, depth: number): number {
  return (key[depth] ?? 0) % FAN_WIDTH;
}

/** Fans are never nested deeper than a key has bytes. */
export const MAX_FAN_DEPTH = 32;
