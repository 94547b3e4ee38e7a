import { createHash } from "node:crypto";
import { PART_BYTES } from "../blobs.ts";
import { type AnyFile, isFresh, type OverlayEntry } from "../overlay/state.ts";
import { contentOf, readRange } from "../overlay/read.ts";
import { breathe, type GitContext } from "./context.ts";

const encoder = new TextEncoder();
const HASHES_PER_QUERY = 1000;

/** The name that git gives a content: SHA-1 of it and its kind. */
export function objectId(kind: "blob" | "tree", bytes: Uint8Array): string {
  return createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Git's mode of a file or a link. */
export function gitMode(entry: OverlayEntry): number {
  if (entry.kind === "symlink") return 0o120000;
  return entry.mode & 0o100 ? 0o100755 : 0o100644;
}

/** A file or a link of the work tree. */
export interface WorkFile {
  readonly path: string;
  readonly entry: OverlayEntry;
}

/**
 * Git's names for files and links. A stored content is read once in its life: what git calls it is kept by its SHA-256.
 */
export async function blobIds(context: GitContext, files: readonly WorkFile[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const stored: (WorkFile & { readonly entry: AnyFile & { readonly hash: string } })[] = [];
  for (const { path, entry } of files) {
    await breathe(context, entry.kind === "file" && isFresh(entry) ? entry.size : 0);
    if (entry.kind === "symlink") found.set(path, objectId("blob", encoder.encode(entry.target)));
    else if (entry.kind !== "file") continue;
    else if (!isFresh(entry)) stored.push({ path, entry });
    else {
      const oid = context.freshOids.get(entry) ?? objectId("blob", entry.bytes);
      context.freshOids.set(entry, oid);
      found.set(path, oid);
    }
  }
  const known = knownIds(context, [...new Set(stored.map(({ entry }) => entry.hash))]);
  for (const { path, entry } of stored) {
    let oid = known.get(entry.hash);
    if (oid === undefined) {
      oid = await storedId(context, path, entry);
      known.set(entry.hash, oid);
      rememberId(context, entry.hash, oid);
    }
    found.set(path, oid);
  }
  return found;
}

async function storedId(context: GitContext, path: string, entry: AnyFile): Promise<string> {
  const hash = createHash("sha1").update(`blob ${entry.size}\0`);
  await breathe(context, entry.size);
  if (entry.size <= PART_BYTES) return hash.update(await contentOf(context.state, entry, path)).digest("hex");
  for (let offset = 0; offset < entry.size; offset += PART_BYTES) {
    hash.update(await readRange(context.state, path, offset, PART_BYTES));
    await breathe(context, PART_BYTES);
  }
  return hash.digest("hex");
}

/** Keeps what git calls a content. It says nothing about a repository, so it needs no transaction. */
export function rememberId(context: GitContext, hash: string, oid: string): void {
  context.sql.exec("INSERT OR IGNORE INTO tenrec_git_oids (hash, oid) VALUES (?, ?)", hash, oid);
}

function knownIds(context: GitContext, hashes: readonly string[]): Map<string, string> {
  const known = new Map<string, string>();
  for (let start = 0; start < hashes.length; start += HASHES_PER_QUERY) {
    const rows = context.sql.exec<{ hash: string; oid: string }>(
      "SELECT hash, oid FROM tenrec_git_oids WHERE hash IN (SELECT value FROM json_each(?))",
      JSON.stringify(hashes.slice(start, start + HASHES_PER_QUERY)),
    );
    for (const { hash, oid } of rows) known.set(hash, oid);
  }
  return known;
}
