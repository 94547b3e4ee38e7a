import { TenrecError } from "@tenrec/protocol";
import type { Base, BaseEntry } from "../folder/base.ts";

/** The version of the files. A change that an older program would misread counts it up. */
const FORMAT = 1;

/** What this machine knows of a session. */
export interface SessionRecord {
  readonly id: string;
  /** The folder that was imported; absolute. */
  readonly dir: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title: string;
  readonly model: string;
  readonly base: Base;
}

/** Throws `EINVAL` unless it can be the id of a session: nothing that a file system takes for more than a name. */
export function checkSessionId(id: string): void {
  if (isSessionId(id)) return;
  const reason = "a session's id has letters, digits, `-` and `_` only, at most 64";
  throw new TenrecError("EINVAL", { path: id.slice(0, 80), reason });
}

export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id);
}

/** The text of a record's file. What `above` has more, from whoever wrote it before, is kept. */
export function recordText(record: SessionRecord, above: object = {}): string {
  return `${JSON.stringify({ ...above, format: FORMAT, ...record })}\n`;
}

/** The record in a file's text, or why there is none. */
export function parseRecord(text: string, id: string): SessionRecord | { readonly reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "it is damaged: not JSON" };
  }
  if (!isObject(value)) return { reason: "it is damaged: no record of a session" };
  if (typeof value.format === "number" && value.format > FORMAT) {
    return { reason: `a newer Tenrec wrote it (format ${value.format}): update Tenrec to use it` };
  }
  const { dir, createdAt, updatedAt, title, model, base } = value;
  const isWhole = [dir, title, model].every(isText) && [createdAt, updatedAt].every(Number.isFinite) && isBase(base);
  if (value.format !== FORMAT || value.id !== id || !isWhole) return { reason: "it is damaged: fields are missing" };
  return { id, dir, createdAt, updatedAt, title, model, base } as SessionRecord;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isBase(value: unknown): value is Base {
  return isObject(value) && isObject(value.entries) && Object.values(value.entries).every(isBaseEntry);
}

function isBaseEntry(value: unknown): value is BaseEntry {
  if (!isObject(value)) return false;
  const { kind, mode, size, sha256 } = value;
  const isKind = kind === "file" || kind === "symlink" || kind === "directory";
  return isKind && Number.isInteger(mode) && Number.isInteger(size) && isText(sha256);
}
