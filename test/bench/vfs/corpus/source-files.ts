import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { bytesOf, unpackTar } from "@tenrec/vfs/folder";

/** A file of a tree that is benchmarked. */
export interface TreeFile {
  /** Without a leading slash. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The text files below a folder of an npm tarball, up to a size, under `<prefix>/`, sorted by path. */
export async function sourceFiles(
  tarball: Uint8Array,
  { folder, prefix, maxFileBytes }: { readonly folder: string; readonly prefix: string; readonly maxFileBytes: number },
): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const stream = new Blob([gunzipSync(tarball)]).stream();
  for await (const entry of unpackTar(stream)) {
    // npm puts everything below one folder, nearly always `package`.
    const [, ...names] = entry.path.slice(1).split("/");
    if (entry.kind !== "file" || names[0] !== folder || entry.size > maxFileBytes) continue;
    const bytes = await bytesOf(entry);
    if (isText(bytes)) files.push({ path: [prefix, ...names.slice(1)].join("/"), bytes });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** One hash for paths and contents. */
export function hashOfFiles(files: readonly TreeFile[]): string {
  const list = createHash("sha256");
  for (const { path, bytes } of files) list.update(`${createHash("sha256").update(bytes).digest("hex")}  ${path}\n`);
  return list.digest("hex");
}

// What is not UTF-8 comes back from a store as another text, a byte order mark not at all from one of the peers, and a NUL
// makes a search leave a file.
function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && bytes[0] !== 0xef && Buffer.from(Buffer.from(bytes).toString("utf8")).equals(bytes);
}
