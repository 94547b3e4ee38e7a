import { createHash } from "node:crypto";
import { TenrecError } from "@tenrec/protocol";
import type { ArchiveEntry } from "@tenrec/vfs/folder";

export type Entries = AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>;

/** What one path was. A link's `size` and `sha256` are those of its target; a folder has 0 and "". */
export interface BaseEntry {
  readonly kind: ArchiveEntry["kind"];
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly sha256: string;
}

/** What was imported, by tree path ("/src/a.ts"). Plain JSON. */
export interface Base {
  readonly entries: Readonly<Record<string, BaseEntry>>;
}

/** Entries on their way, and the base that they leave behind. */
export interface BaseTaker {
  /** To be iterated once. The same entries, untouched. */
  readonly entries: AsyncGenerator<ArchiveEntry>;
  /** Throws `internal` before the last entry has passed: half a base would call every other file a stranger. */
  base(): Base;
}

/** Describes an entry; its bytes are read, not kept. */
export function describeEntry(entry: ArchiveEntry): BaseEntry {
  const { kind } = entry;
  const mode = entry.mode & 0o777;
  if (kind === "directory") return { kind, mode, size: 0, sha256: "" };
  const content = kind === "file" ? entry.bytes : Buffer.from(entry.target);
  return { kind, mode, size: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

/** True for the same kind and content. Modes are not compared. */
export function isSameContent(a: BaseEntry, b: BaseEntry): boolean {
  return a.kind === b.kind && a.size === b.size && a.sha256 === b.sha256;
}

/** True for the same kind, content and, of files, mode. A link has none, and those of folders are left alone. */
export function isSameEntry(a: BaseEntry, b: BaseEntry): boolean {
  return isSameContent(a, b) && (a.kind !== "file" || a.mode === b.mode);
}

/** Computes the base of entries while they pass by, so that nothing is read twice. */
export function takeBase(entries: Entries): BaseTaker {
  const found = new Map<string, BaseEntry>();
  let isWhole = false;
  async function* pass(): AsyncGenerator<ArchiveEntry> {
    for await (const entry of entries) {
      found.set(entry.path, describeEntry(entry));
      yield entry;
    }
    isWhole = true;
  }
  return {
    entries: pass(),
    base() {
      if (!isWhole) throw new TenrecError("internal", { reason: "a base was asked for before its last entry" });
      return { entries: Object.fromEntries(found) };
    },
  };
}

/** The base of entries that are needed for nothing else. */
export async function baseOf(entries: Entries): Promise<Base> {
  const taker = takeBase(entries);
  for await (const _ of taker.entries);
  return taker.base();
}
