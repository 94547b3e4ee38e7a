import type { Entry } from "./entry.ts";

/** One file or link before and after; at least one of the two is there. */
export interface PatchSides {
  /** Tree paths; the same unless it was renamed. */
  readonly from: string;
  readonly to: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** In percent, of what was renamed. */
  readonly similarity?: number;
}

/** What is in a patch below its header: hunks, or a note that the content is binary. */
export type PatchBody = { readonly hunks: string } | "binary";

/** One file's part of a patch as `git diff -M` prints it, without the line `index`, which takes git's own hashes. */
export function gitPatch(sides: PatchSides, body: PatchBody): string {
  const { from, to, before, after } = sides;
  const [left, right] = [`a${from}`, `b${to}`];
  const header = [`diff --git ${quoteName(left)} ${quoteName(right)}`, ...modeLines(sides), ...renameLines(sides)];
  const [old, now] = [before ? left : undefined, after ? right : undefined];
  const names = (name: string | undefined): string => (name === undefined ? "/dev/null" : quoteName(name));
  if (body === "binary") header.push(`Binary files ${names(old)} and ${names(now)} differ`);
  else if (body.hunks !== "") header.push(`--- ${fileLine(names(old))}`, `+++ ${fileLine(names(now))}`);
  return `${header.join("\n")}\n${body === "binary" ? "" : body.hunks}`;
}

// A name with a space ends with a tab, so that no program takes what follows for a time.
function fileLine(name: string): string {
  return name.includes(" ") ? `${name}\t` : name;
}

function modeLines({ before, after }: PatchSides): string[] {
  const [old, now] = [gitMode(before), gitMode(after)];
  if (old === undefined) return [`new file mode ${now}`];
  if (now === undefined) return [`deleted file mode ${old}`];
  if (old !== now) return [`old mode ${old}`, `new mode ${now}`];
  const [exactOld, exactNow] = [exactMode(before), exactMode(after)];
  return exactOld === exactNow ? [] : [`old mode ${exactOld}`, `new mode ${exactNow}`];
}

function renameLines({ from, to, similarity }: PatchSides): string[] {
  if (from === to) return [];
  return [
    `similarity index ${similarity ?? 100}%`,
    `rename from ${quoteName(from.slice(1))}`,
    `rename to ${quoteName(to.slice(1))}`,
  ];
}

/** A link, or a file that is executable or not: all that git knows. */
function gitMode(entry: Entry | undefined): string | undefined {
  if (entry === undefined) return undefined;
  if (entry.kind === "symlink") return "120000";
  return entry.mode & 0o100 ? "100755" : "100644";
}

function exactMode(entry: Entry | undefined): string | undefined {
  return entry?.kind === "file" ? (0o100000 | entry.mode).toString(8) : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A name as git writes it with `core.quotePath` off: in quotes when it has control characters, quotes or backslashes. */
export function quoteName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to be written otherwise
  const special = /[\u0000-\u001f\u007f"\\]/g;
  const quoted = name.replace(
    special,
    (char) => ESCAPES[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return quoted === name ? name : `"${quoted}"`;
}
