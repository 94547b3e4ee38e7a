import { createHash } from "node:crypto";
import type { GitStages } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import type { GitContext } from "./context.ts";
import { treeNames } from "./git-path.ts";

/** A file that a commit or the index names. */
export interface TrackedFile {
  /** Git's mode: 0o100644, 0o100755, 0o120000 for a link, 0o160000 for a submodule. */
  readonly mode: number;
  readonly oid: string;
}

/** The files that the next commit has, by path without a leading `/`; `unmerged` are those of a merge with conflicts. */
export interface GitIndex {
  readonly files: Map<string, TrackedFile>;
  readonly unmerged: Map<string, GitStages>;
}

const ENTRY_BYTES = 62;
const HASH_BYTES = 20;
const MAX_NAME_LENGTH = 0xfff;
const decoder = new TextDecoder();

/** Format: gitformat-index of git's documentation, version 2 and 3. `git-failed` when it cannot be read. */
export function readIndex(context: GitContext): GitIndex {
  const bytes = context.files.read("index");
  const index: GitIndex = { files: new Map(), unmerged: new Map() };
  if (bytes === undefined) return index;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = data.length < 32 || data.toString("latin1", 0, 4) !== "DIRC" ? 0 : data.readUInt32BE(4);
  if (version !== 2 && version !== 3) broken("it has no header that is known");
  const end = data.length - HASH_BYTES;
  if (!createHash("sha1").update(data.subarray(0, end)).digest().equals(data.subarray(end)))
    broken("its checksum is wrong");
  let at = 12;
  for (let count = data.readUInt32BE(8); count > 0; count--) {
    if (at + ENTRY_BYTES > end) broken("it is cut off");
    const flags = data.readUInt16BE(at + 60);
    const start = at + ENTRY_BYTES + (flags & 0x4000 ? 2 : 0);
    const stop = data.indexOf(0, start);
    if (stop === -1 || stop >= end) broken("it is cut off");
    const path = decoder.decode(data.subarray(start, stop));
    treeNames(path);
    const file = { mode: data.readUInt32BE(at + 24), oid: data.toString("hex", at + 40, at + 60) };
    const stage = (flags >> 12) & 3;
    if (stage === 0) index.files.set(path, file);
    else index.unmerged.set(path, withStage(index.unmerged.get(path), stage, file));
    at += (stop - at + 8) & ~7;
  }
  return index;
}

function withStage(before: GitStages | undefined, stage: number, file: TrackedFile): GitStages {
  const [base, ours, theirs] = before ?? [];
  return [stage === 1 ? file : base, stage === 2 ? file : ours, stage === 3 ? file : theirs];
}

/** Writes the index when it differs. Times and sizes are left out: they mean "compare the content" to every git. */
export function writeIndex(context: GitContext, index: GitIndex): void {
  const entries = Array.from(index.files, ([path, file]) => ({ name: Buffer.from(path), file, stage: 0 }));
  for (const [path, stages] of index.unmerged) {
    for (const [at, file] of stages.entries()) if (file) entries.push({ name: Buffer.from(path), file, stage: at + 1 });
  }
  entries.sort((a, b) => Buffer.compare(a.name, b.name) || a.stage - b.stage);
  const header = Buffer.alloc(12);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const body = Buffer.concat([header, ...entries.map(({ name, file, stage }) => indexEntry(name, file, stage))]);
  const bytes = Buffer.concat([body, createHash("sha1").update(body).digest()]);
  const before = context.files.read("index");
  if (before === undefined || !bytes.equals(before)) context.files.write("index", new Uint8Array(bytes));
}

function indexEntry(name: Buffer, { mode, oid }: TrackedFile, stage: number): Buffer {
  // At least one NUL ends the name, and entries are multiples of eight bytes.
  const entry = Buffer.alloc((ENTRY_BYTES + name.length + 8) & ~7);
  entry.writeUInt32BE(mode, 24);
  entry.write(oid, 40, "hex");
  entry.writeUInt16BE((stage << 12) | Math.min(name.length, MAX_NAME_LENGTH), 60);
  name.copy(entry, ENTRY_BYTES);
  return entry;
}

function broken(reason: string): never {
  throw new TenrecError("git-failed", { what: "reading the index", reason });
}
