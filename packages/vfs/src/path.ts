import { TenrecError } from "@tenrec/protocol";

/** As POSIX has them: bytes of a name, and of a path or a link's target. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4096;
/** Names in a path. Trees are walked by recursion, which this bounds. */
export const MAX_DEPTH = 256;

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

function isTooLong(text: string, limit: number): boolean {
  // A UTF-16 code unit is at most three bytes.
  return text.length * 3 > limit && byteLength(text) > limit;
}

function refuse(path: string, reason: string): never {
  throw new TenrecError("EINVAL", { path: path.slice(0, 200), reason });
}

function checkText(path: string, text: string): void {
  // Callers in JavaScript.
  if (typeof text !== "string") refuse(String(path), "it is no text");
  if (text === "") refuse(path, "it is empty");
  if (text.includes("\0")) refuse(path, "it contains a NUL");
  if (isTooLong(text, MAX_PATH_BYTES)) refuse(path, `it has more than ${MAX_PATH_BYTES} bytes`);
  if (!text.isWellFormed()) refuse(path, "it is not valid Unicode");
}

/** The names of a path from the root, `.` and `..` resolved as text. `EINVAL` for what cannot be a path. */
export function splitPath(path: string): string[] {
  checkText(path, path);
  const names: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") names.pop();
    else names.push(part);
  }
  return names;
}

/** Throws unless something may be created under these names: `EINVAL` for long names or many, `EACCES` for `.git`. */
export function checkNewNames(names: readonly string[]): void {
  checkLengths(names);
  if (names.includes(".git")) {
    throw new TenrecError("EACCES", { path: joinPath(names), reason: "`.git` is not stored in the tree" });
  }
}

/** Throws `EINVAL` for long names or many. */
export function checkLengths(names: readonly string[]): void {
  if (names.length > MAX_DEPTH) refuse(joinPath(names), `it is more than ${MAX_DEPTH} names deep`);
  for (const name of names) {
    if (isTooLong(name, MAX_NAME_BYTES)) refuse(joinPath(names), `a name has more than ${MAX_NAME_BYTES} bytes`);
  }
  if (isTooLong(joinPath(names), MAX_PATH_BYTES)) refuse(joinPath(names), `it has more than ${MAX_PATH_BYTES} bytes`);
}

/** Throws `EINVAL` unless the text can be the target of a link. */
export function checkTarget(linkPath: string, target: string): void {
  checkText(linkPath, target);
}

/** The absolute path of these names. */
export function joinPath(names: readonly string[]): string {
  return `/${names.join("/")}`;
}

/** Pure text: `path` against `base`, normalised. */
export function resolvePath(base: string, path: string): string {
  return joinPath(splitPath(path.startsWith("/") ? path : `${base}/${path}`));
}

/** Order of names and paths: by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
