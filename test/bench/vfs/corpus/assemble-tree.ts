import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchPackage, type PinnedPackage } from "./fetch-package.ts";
import { hashOfFiles, sourceFiles, type TreeFile } from "./source-files.ts";

/** What corpus.json says: from which packages the tree is made, and what has to come out. */
interface Corpus {
  readonly packages: readonly (PinnedPackage & { readonly folder: string })[];
  readonly maxFileBytes: number;
  readonly files: number;
  readonly bytes: number;
  readonly sha256: string;
}

const FILE: string = join(import.meta.dirname, "corpus.json");

/** The files of the real tree, the same for everybody. */
export async function assembleTree(cache: string, say: (line: string) => void): Promise<TreeFile[]> {
  const corpus = JSON.parse(await readFile(FILE, "utf8")) as Corpus;
  const files: TreeFile[] = [];
  for (const pinned of corpus.packages) {
    const tarball = await fetchPackage(pinned, cache, say);
    const from = { folder: pinned.folder, prefix: pinned.name, maxFileBytes: corpus.maxFileBytes };
    files.push(...(await sourceFiles(tarball, from)));
  }
  const found = { files: files.length, bytes: totalBytes(files), sha256: hashOfFiles(files) };
  const { files: count, bytes, sha256 } = corpus;
  if (found.files !== count || found.bytes !== bytes || found.sha256 !== sha256) {
    throw new Error(`the tree is not the one in corpus.json: it has ${JSON.stringify(found)}`);
  }
  return files;
}

export function totalBytes(files: readonly TreeFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
