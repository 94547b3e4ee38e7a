import type { FileSystem } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { toModelPath } from "../workspace-path.ts";

export type NearestPathPort = Pick<FileSystem, "exists" | "readdir">;

const SHOWN = 5;
/** Of a directory with more entries, no name is compared. */
const MAX_ENTRIES = 10_000;

/** For a tree path that does not exist: the directory above it that does, and what has a similar name there. */
export async function nearestPath(fs: NearestPathPort, path: string): Promise<string> {
  const names = path.split("/").filter((name) => name !== "");
  let missing = names.pop() ?? "";
  while (names.length > 0 && !(await fs.exists(`/${names.join("/")}`))) missing = names.pop() ?? "";
  const folder = `/${names.join("/")}`;
  const entries = await entriesOf(fs, folder);
  if (!entries) return `${toModelPath(folder)} is a file.`;
  const close = entries
    .map((name) => ({ name, distance: distanceBetween(name.toLowerCase(), missing.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, missing.length) / 3)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SHOWN)
    .map(({ name }) => toModelPath(folder === "/" ? `/${name}` : `${folder}/${name}`));
  const nearest = folder === "/" ? "the workspace itself" : toModelPath(folder);
  const similar = close.length > 0 ? `, in it with a similar name: ${close.join(", ")}` : "";
  return `The nearest folder that exists is ${nearest}${similar}.`;
}

/** `undefined` for what is no directory. */
async function entriesOf(fs: NearestPathPort, folder: string): Promise<string[] | undefined> {
  try {
    const entries = await fs.readdir(folder);
    return entries.length > MAX_ENTRIES ? [] : entries;
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Characters to insert, delete, replace or swap with the next one. */
function distanceBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8 || a.length > 100) return Number.POSITIVE_INFINITY;
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(at(i - 1, j - 1) + (isSame ? 0 : 1), at(i - 1, j) + 1, at(i, j - 1) + 1);
      row.push(isSwap ? Math.min(least, at(i - 2, j - 2) + 1) : least);
    }
  }
  return at(a.length, b.length);
}
