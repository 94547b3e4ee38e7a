export interface Folder {
  readonly folders: ReadonlyMap<string, Folder>;
  /** Names and full paths. */
  readonly files: readonly { readonly name: string; readonly path: string }[];
}

interface Growing {
  readonly folders: Map<string, Growing>;
  readonly files: { name: string; path: string }[];
}

/** Paths such as `/src/a.ts` as folders in folders. Keeps their order. */
export function fileTree(paths: readonly string[]): Folder {
  const root: Growing = { folders: new Map(), files: [] };
  for (const path of paths) {
    const names = path.split("/").slice(1);
    const name = names.pop() ?? "";
    let folder = root;
    for (const part of names) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push({ name, path });
  }
  return root;
}
