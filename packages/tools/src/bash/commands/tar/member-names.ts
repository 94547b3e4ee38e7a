import { globMatch } from "../glob-match.ts";
import type { TarOutput } from "./tar-output.ts";

/** A name without what would lead out of the folder: all up to its last `..`, and slashes in front. */
export function safeName(name: string, output: TarOutput, what = "member names"): string {
  const parts = name.split("/");
  const last = parts.lastIndexOf("..");
  const kept = parts
    .slice(last + 1)
    .join("/")
    .replace(/^\/+/, "");
  const removed = name.slice(0, name.length - kept.length);
  if (removed !== "") output.note(`Removing leading \`${removed}' from ${what}`);
  return kept === "" ? "." : kept;
}

export function hasDotDot(name: string): boolean {
  return name.split("/").includes("..");
}

/** The name without its first `count` folders, or undefined where nothing is left. */
export function stripped(name: string, count: number): string | undefined {
  if (count === 0) return name;
  const rest = name
    .split("/")
    .filter((part) => part !== "")
    .slice(count);
  return rest.length === 0 ? undefined : rest.join("/");
}

/** Whether a glob means the name, what it ends with, or a folder that it is in. */
export function isExcluded(name: string, globs: readonly string[]): boolean {
  if (globs.length === 0) return false;
  const parts = name.replace(/\/+$/, "").split("/");
  for (let from = 0; from < parts.length; from++) {
    for (let to = from + 1; to <= parts.length; to++) {
      const part = parts.slice(from, to).join("/");
      if (globs.some((glob) => globMatch(glob, part))) return true;
    }
  }
  return false;
}

/** Whether a member is what an operand names: itself, or a folder that it is in. */
export function isNamed(name: string, operand: string, isGlob: boolean): boolean {
  const [member, wanted] = [name, operand].map((text) => text.replace(/\/+$/, "")) as [string, string];
  if (member === wanted || member.startsWith(`${wanted}/`)) return true;
  if (!isGlob) return false;
  const parts = member.split("/");
  return parts.some((_, at) => globMatch(wanted, parts.slice(0, at + 1).join("/")));
}
