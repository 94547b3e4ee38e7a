import type { FilePatch } from "../../patch/file-patch.ts";
import type { ParsedOptions } from "../commands/parse-options.ts";
import { sumsText } from "./diff-text.ts";
import { quotePath } from "./quote-path.ts";

interface Counted {
  readonly name: string;
  readonly added: number;
  readonly removed: number;
}

/** What `git apply` tells of a patch with `--stat`, `--numstat` or `--summary`. */
export function applyStatText(files: readonly FilePatch[], options: ParsedOptions): string {
  const counted = files.map(({ path, to = path, hunks }): Counted => {
    const count = (sign: string): number =>
      hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
    const name = to === path ? path : `${path} => ${to}`;
    return { name: quotePath(name), added: count("+"), removed: count("-") };
  });
  const stat = options.has("s") ? statText(counted) : "";
  const numbers = options.has("n")
    ? counted.map(({ name, added, removed }) => `${added}\t${removed}\t${name}\n`).join("")
    : "";
  return stat + numbers + (options.has("y") ? files.map(summaryOf).join("") : "");
}

const MAX_NAME = 50;
const WIDTH = 70;

function statText(files: readonly Counted[]): string {
  const longest = Math.min(MAX_NAME, Math.max(0, ...files.map(({ name }) => name.length)));
  const most = Math.max(0, ...files.map(({ added, removed }) => added + removed));
  const width = Math.min(most, WIDTH - longest);
  const lines = files.map(({ name, added, removed }) => {
    const scale = (count: number): number =>
      most === 0 ? 0 : Math.floor((count * width + Math.floor(most / 2)) / most);
    const plus = scale(added);
    const graph = "+".repeat(plus) + "-".repeat(scale(added + removed) - plus);
    return ` ${shortened(name, longest).padEnd(longest)} |${String(added + removed).padStart(5)} ${graph}\n`;
  });
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  return lines.join("") + sumsText(files.length, sum("added"), sum("removed"));
}

function shortened(name: string, width: number): string {
  if (name.length <= width) return name;
  const from = name.length + 3 - width;
  const slash = name.indexOf("/", from);
  return `...${name.slice(slash === -1 ? from : slash)}`;
}

function summaryOf({ kind, path, to, mode }: FilePatch): string {
  const octal = (mode ?? 0o644) & 0o100 ? "100755" : "100644";
  if (kind === "create" || kind === "set") return ` create mode ${octal} ${path}\n`;
  if (kind === "delete") return ` delete mode ${octal} ${path}\n`;
  return to !== undefined && to !== path ? ` ${kind === "copy" ? "copy" : "rename"} ${path} => ${to} (100%)\n` : "";
}
