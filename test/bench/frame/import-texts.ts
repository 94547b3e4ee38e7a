/** What a subject's own files need for it. */
interface Files {
  mkdir(path: string, options: { readonly recursive: true }): Promise<unknown>;
  writeFile(path: string, text: string): Promise<unknown>;
}

/** Writes files into a subject that wants their folders to be there. */
export async function importTexts(
  fs: Files,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  const made = new Set<string>();
  for (const { path, text } of files) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) await fs.mkdir(parent, { recursive: true });
    made.add(parent);
    await fs.writeFile(path, text);
  }
}
