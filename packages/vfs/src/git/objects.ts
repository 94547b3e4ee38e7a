import { TenrecError } from "@tenrec/protocol";
import type { GitContext } from "./context.ts";

/** An entry of a tree object as it is there, its name not checked. */
export interface TreeEntry {
  /** In octal, as git writes it: "40000" for a tree. */
  readonly mode: string;
  readonly name: string;
  readonly oid: string;
}

const HASH_BYTES = 20;

/** The content of a file; not to be changed. `git-not-found` for none. */
export function readBlobBytes(context: GitContext, oid: string): Uint8Array {
  return readBytes(context, oid, "blob");
}

/** The entries of a tree object. Format: git's documentation has it in "Git Internals - Git Objects". */
export function readTreeEntries(context: GitContext, oid: string): TreeEntry[] {
  const bytes = readBytes(context, oid, "tree");
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(0x20, at);
    const end = data.indexOf(0, at);
    if (space === -1 || end < space || end + 1 + HASH_BYTES > data.length) {
      throw new TenrecError("git-refused", { what: `tree ${oid}`, reason: "it is cut off" });
    }
    entries.push({
      mode: data.toString("latin1", at, space),
      name: data.toString("utf8", space + 1, end),
      oid: data.toString("hex", end + 1, end + 1 + HASH_BYTES),
    });
    at = end + 1 + HASH_BYTES;
  }
  return entries;
}

function readBytes(context: GitContext, oid: string, type: "blob" | "tree"): Uint8Array {
  const object = context.objects.read(oid);
  if (object?.type === type) return object.bytes;
  const what = object ? `${type} ${oid}; it is a ${object.type}` : `${type} ${oid}; the history here may be shallow`;
  throw new TenrecError("git-not-found", { what });
}
