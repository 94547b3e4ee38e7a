import { overLimit } from "./endings.ts";
import { parsePattern } from "./parse-pattern.ts";
import { matchesWhole, plainText } from "./pattern.ts";
import type { Shell } from "./shell-state.ts";

/** Entries of folders that one pattern may look at. */
const MAX_ENTRIES = 100_000;

/** The files that a pattern stands for, in order; none when there are none. */
export async function globWords(shell: Shell, pattern: string): Promise<readonly string[]> {
  const segments = pattern.split("/").map((segment): Segment => {
    const parts = parsePattern(segment);
    const plain = plainText(parts);
    if (plain !== undefined) return { text: plain, matches: undefined };
    const isHidden = parts[0] === ".";
    const matches = (name: string): boolean => (isHidden || !name.startsWith(".")) && matchesWhole(parts, name);
    return { text: segment, matches };
  });
  if (!segments.some(({ matches }) => matches)) return [];
  const found: string[] = [];
  const walk: Walk = { shell, segments, found, left: MAX_ENTRIES };
  await expand("", 0, walk);
  return found.sort();
}

interface Segment {
  readonly text: string;
  readonly matches: ((name: string) => boolean) | undefined;
}

interface Walk {
  readonly shell: Shell;
  readonly segments: readonly Segment[];
  readonly found: string[];
  left: number;
}

async function expand(path: string, at: number, walk: Walk): Promise<void> {
  const { shell, segments } = walk;
  let prefix = path;
  for (let next = at; next < segments.length; next++) {
    const { text, matches } = segments[next] ?? { text: "", matches: undefined };
    const isLast = next === segments.length - 1;
    if (matches) {
      for (const { name, isFolder } of await list(shell, prefix, walk)) {
        if (!matches(name)) continue;
        if (isLast) walk.found.push(prefix + name);
        else if (await isFolder()) await expand(`${prefix}${name}/`, next + 1, walk);
      }
      return;
    }
    prefix += isLast ? text : `${text}/`;
  }
  if (await isThere(shell, prefix)) walk.found.push(prefix);
}

interface Entry {
  readonly name: string;
  readonly isFolder: () => Promise<boolean>;
}

async function list({ run, cwd }: Shell, folder: string, walk: Walk): Promise<Entry[]> {
  const { fs } = run;
  const path = fs.resolvePath(cwd, folder === "" ? "." : folder);
  run.signal.throwIfAborted();
  try {
    const isFolderAt = async (name: string): Promise<boolean> =>
      (await fs.stat(fs.resolvePath(path, name)).catch(() => undefined))?.isDirectory ?? false;
    const entries = fs.readdirWithFileTypes
      ? (await fs.readdirWithFileTypes(path)).map(({ name, isDirectory, isSymbolicLink }) => ({
          name,
          isFolder: async () => isDirectory || (isSymbolicLink && (await isFolderAt(name))),
        }))
      : (await fs.readdir(path)).map((name) => ({ name, isFolder: () => isFolderAt(name) }));
    walk.left -= entries.length;
    if (walk.left < 0) throw overLimit(`glob: too many files (>${MAX_ENTRIES})`);
    return entries;
  } catch (error) {
    if (walk.left < 0) throw error;
    return [];
  }
}

/** A link that leads nowhere is there, too; what ends with a slash has to be a folder. */
async function isThere({ run, cwd }: Shell, path: string): Promise<boolean> {
  const { fs } = run;
  const resolved = fs.resolvePath(cwd, path);
  const stat = path.endsWith("/") ? fs.stat(resolved) : fs.lstat(resolved);
  return stat.then(
    ({ isDirectory }) => !path.endsWith("/") || isDirectory,
    () => false,
  );
}
