import { readlink } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { diskKind } from "./disk-entry.ts";

/** As many links as Linux follows. */
const MAX_LINKS = 40;

/**
 * Why a link may not be made, if so: its target leaves the folder, by its text or through a link that is on disk. `root` is
 * a real path, `names` the link's own, under folders that are real.
 */
export async function refusalOfTarget(
  root: string,
  names: readonly string[],
  target: string,
): Promise<string | undefined> {
  const out = "it is a link that leads out of the folder";
  if (target === "" || target.includes("\0")) return "it is a link to a name that no file can have";
  const parts = partsOf(target);
  const down = parts.findIndex((part) => part !== "..");
  const ups = down === -1 ? parts.length : down;
  // `..` only at the start: there it leads through real folders, later it could lead out through another link.
  if (/^[/\\]|^[A-Za-z]:/.test(target) || ups > names.length - 1 || parts.slice(ups).includes("..")) return out;
  return (await leadsOut(root, names.slice(0, names.length - 1 - ups), parts.slice(ups))) ? out : undefined;
}

function partsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
}

/** Follows links by hand: what they lead to need not be there yet. */
async function leadsOut(root: string, from: readonly string[], parts: readonly string[]): Promise<boolean> {
  const at = [...from];
  const rest = [...parts];
  for (let links = 0; rest.length > 0;) {
    const part = rest.shift();
    if (part === undefined) break;
    if (part === "..") {
      if (at.pop() === undefined) return true;
      continue;
    }
    at.push(part);
    const path = join(root, ...at);
    if ((await diskKind(path)) !== "symlink") continue;
    // It leads nowhere.
    if (++links > MAX_LINKS) return false;
    at.pop();
    const target = await readlink(path);
    const inner = isAbsolute(target) ? relative(root, target) : target;
    // Another drive of Windows.
    if (isAbsolute(inner)) return true;
    if (isAbsolute(target)) at.length = 0;
    rest.unshift(...partsOf(inner));
  }
  return false;
}
