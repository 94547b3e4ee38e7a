import type { FileSystem } from "@tenrec/protocol";
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
  const close = entries
    .map((name) => ({ name, distance: distanceBetween(name.toLowerCase(), missing.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, missing.length) / 3)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SHOWN)
    .map(({ name }) => toModelPath(folder === "/" ? `/${name}` : `${folder}/${name}`));
  const similar = close.length > 0 ? `, in it with a similar name: ${close.join(", ")}` : "";
  return `The nearest folder that exists is ${toModelPath(folder)}${similar}.`;
}

async function entriesOf(fs: NearestPathPort, folder: string): Promise<string[]> {
  try {
    const entries = await fs.readdir(folder);
    return entries.length > MAX_ENTRIES ? [] : entries;
  } catch {
    // It is a file, so nothing is in it.
    return [];
  }
}

/** Characters to insert, delete or replace; names that begin alike are as close as what is behind that. */
function distanceBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8 || a.length > 100) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
