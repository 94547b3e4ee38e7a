import { createHash } from "node:crypto";
import { TenrecError } from "@tenrec/protocol";
import { type ArchiveEntry, type FileEntry, piecesOf } from "@tenrec/vfs/folder";

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
  /** To be iterated once. The same entries; the pieces of a large file are looked at while they are read. */
  readonly entries: AsyncGenerator<ArchiveEntry>;
  /** Throws `internal` before the last entry and piece has passed: half a base would call every other file a stranger. */
  base(): Base;
}

/** Describes an entry; its bytes are read, not kept. Uses up the pieces of a large file. */
export async function describeEntry(entry: ArchiveEntry): Promise<BaseEntry> {
  const { kind } = entry;
  const mode = entry.mode & 0o777;
  if (kind === "directory") return { kind, mode, size: 0, sha256: "" };
  if (kind === "symlink") {
    const target = Buffer.from(entry.target);
    return { kind, mode, size: target.length, sha256: createHash("sha256").update(target).digest("hex") };
  }
  let described: BaseEntry | undefined;
  for await (const _ of watched(entry, (base) => (described = base)));
  if (!described) throw new TenrecError("internal", { reason: "a file that was read to its end has no description" });
  return described;
}

/** A file's pieces, and its description after the last of them. */
async function* watched(entry: FileEntry, done: (base: BaseEntry) => void): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of piecesOf(entry)) {
    hash.update(piece);
    yield piece;
  }
  done({ kind: "file", mode: entry.mode & 0o777, size: entry.size, sha256: hash.digest("hex") });
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
  const found = new Map<string, BaseEntry | undefined>();
  let isWhole = false;
  async function* pass(): AsyncGenerator<ArchiveEntry> {
    for await (const entry of entries) {
      const { path } = entry;
      if (entry.kind === "file" && !(entry.content instanceof Uint8Array)) {
        found.set(path, undefined);
        yield { ...entry, content: watched(entry, (base) => found.set(path, base)) };
      } else {
        found.set(path, await describeEntry(entry));
        yield entry;
      }
    }
    isWhole = true;
  }
  return {
    entries: pass(),
    base() {
      const entries = [...found].flatMap(([path, entry]) => (entry ? [[path, entry] as const] : []));
      if (isWhole && entries.length === found.size) return { entries: Object.fromEntries(entries) };
      throw new TenrecError("internal", { reason: "a base was asked for before its last entry" });
    },
  };
}

/** The base of entries that are needed for nothing else. */
export async function baseOf(entries: Entries): Promise<Base> {
  const taker = takeBase(entries);
  for await (const entry of taker.entries) if (entry.kind === "file") for await (const _ of piecesOf(entry));
  return taker.base();
}
