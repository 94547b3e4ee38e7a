import type { WorkerSubject } from "../frame/worker-subject.ts";
import { copyOfTree } from "./corpus/derived-trees.ts";
import { folderWith } from "./corpus/folder-tree.ts";
import { hashOfFiles, type TreeFile } from "./corpus/source-files.ts";
import { tarOf } from "./corpus/tar-of.ts";

const COPIES = 10;

/** The real tree, and ten copies of it. */
export type Size = "1x" | "10x";

/** The trees that are searched and read, on the disk and in the objects of the subjects. */
export interface Trees {
  /** Of folders in the cache that hold these files. */
  readonly name: string;
  /** The parts in which a tree is imported: one for the real tree, ten for ten times that. */
  parts(size: Size): readonly (readonly TreeFile[])[];
  /** Its folder on the disk. */
  folder(size: Size): Promise<string>;
  /** The object that holds it, in all subjects; imports it the first time. */
  object(size: Size): Promise<string>;
  /** Milliseconds that the import into that object took, by subject. */
  importTimes(size: Size): Promise<ReadonlyMap<string, number>>;
}

/** What the trees are made from; `name` tells them from others in the cache. */
interface TreeSource {
  readonly files: readonly TreeFile[];
  readonly name: string;
  readonly cache: string;
  readonly workers: readonly WorkerSubject[];
  readonly say: (line: string) => void;
}

export function createTrees({ files, name, cache, workers, say }: TreeSource): Trees {
  const folderName = `tree-${name}-${hashOfFiles(files).slice(0, 12)}`;
  const parts = (size: Size): readonly (readonly TreeFile[])[] =>
    size === "1x" ? [files] : Array.from({ length: COPIES }, (_, index) => copyOfTree(files, index + 1));
  const loaded = new Map<Size, Promise<ReadonlyMap<string, number>>>();
  const importTimes = (size: Size): Promise<ReadonlyMap<string, number>> => {
    let times = loaded.get(size);
    if (times === undefined) {
      say(`importing the tree (${size})`);
      times = importInto(`tree-${size}`, parts(size), workers);
      loaded.set(size, times);
    }
    return times;
  };
  return {
    parts,
    name: folderName,
    folder: (size) => folderWith(cache, `${folderName}-${size}`, parts(size).flat()),
    async object(size) {
      await importTimes(size);
      return `tree-${size}`;
    },
    importTimes,
  };
}

/** Imports parts into the same object of all subjects, part by part in turn. Milliseconds by subject. */
export async function importInto(
  object: string,
  parts: readonly (readonly TreeFile[])[],
  workers: readonly WorkerSubject[],
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const part of parts) {
    const tar = await tarOf(part);
    for (const worker of workers) {
      const start = performance.now();
      const count = await worker.post(object, "import", tar);
      const took = performance.now() - start;
      if (Number(count) !== part.length) throw new Error(`${worker.name} imported ${count} of ${part.length} files`);
      times.set(worker.name, (times.get(worker.name) ?? 0) + took);
    }
  }
  return times;
}
