import type { FileDiff, GitDiffSide, GitFile, GitStages } from "@tenrec/protocol";
import { WORKSPACE_ROOT } from "@tenrec/protocol";
import { checkText } from "./check-text.ts";
import { type DiffStyle, plainStyle } from "./diff-options.ts";
import { type GitCall, isSelected } from "./git-call.ts";
import { signedLines } from "./hunk-lines.ts";
import { withQuotedNames } from "./patch-names.ts";
import { pathQuoter, type QuotePath, quotePath } from "./quote-path.ts";

/** A file that differs, with what its patch is made of. */
export interface FileChange {
  readonly diff: FileDiff;
  readonly before: GitFile | undefined;
  readonly after: GitFile | undefined;
  /** Whether what is after it is in the repository, not only in the work tree. */
  readonly isStored: boolean;
}

/** What differs between two sides, in order of path. A file that is gone and one of the same content that is new are a rename. */
export async function changesBetween(
  call: GitCall,
  from: GitDiffSide,
  to: GitDiffSide,
  paths: readonly string[] = [],
  style: DiffStyle = plainStyle(),
): Promise<FileChange[]> {
  if (style.isReversed) return changesBetween(call, to, from, paths, { ...style, isReversed: false });
  const [before, after, diffs] = [
    await filesOf(call, from),
    await filesOf(call, to),
    await call.git.diff({ from, to, ...style.lines }),
  ];
  const selected = diffs.filter(({ path }) => isSelected(path, paths));
  const changes = selected.map((diff): FileChange => {
    const name = diff.path.slice(1);
    return {
      diff,
      before: diff.change === "create" ? undefined : before.get(name),
      after: diff.change === "delete" ? undefined : after.get(name),
      isStored: to !== "work",
    };
  });
  return withRenames(changes).filter((change) => isWanted(change, style));
}

/** Of a file with conflicts the index has what is ours. */
async function filesOf({ git }: GitCall, side: GitDiffSide): Promise<ReadonlyMap<string, GitFile>> {
  const files = await git.files(side);
  const unmerged = side === "index" ? await git.unmerged() : new Map<string, GitStages>();
  if (unmerged.size === 0) return files;
  return new Map([...files, ...[...unmerged].flatMap(([name, [, ours]]) => (ours ? [[name, ours] as const] : []))]);
}

function isWanted({ diff }: FileChange, { kinds, touched }: DiffStyle): boolean {
  const letter = LETTERS[diff.change].charAt(0);
  const wanted = kinds.replace(/[a-z]/g, "");
  if (kinds.includes(letter.toLowerCase()) || (wanted !== "" && !wanted.includes(letter))) return false;
  return !touched || touched(signedLines(diff.patch, "+"), signedLines(diff.patch, "-"));
}

/** Whether anything that counts differs. */
export function isVisible({ diff }: FileChange): boolean {
  return diff.patch !== "";
}

function withRenames(changes: readonly FileChange[]): FileChange[] {
  const gone = new Map<string, FileChange>();
  for (const change of changes)
    if (change.diff.change === "delete" && change.before) gone.set(change.before.oid, change);
  const used = new Set<FileChange>();
  const found = changes.map((change) => {
    const source = change.diff.change === "create" && change.after ? gone.get(change.after.oid) : undefined;
    if (!source || used.has(source) || (change.diff.added === 0 && !change.diff.binary)) return change;
    used.add(source);
    const from = source.diff.path;
    const { path } = change.diff;
    const modes =
      source.before?.mode === change.after?.mode
        ? ""
        : `old mode ${octal(source.before)}\nnew mode ${octal(change.after)}\n`;
    const [left, right] = [quotePath(`a${from}`), quotePath(`b${path}`)];
    const names = `rename from ${quotePath(from.slice(1))}\nrename to ${quotePath(path.slice(1))}\n`;
    const patch = `diff --git ${left} ${right}\n${modes}similarity index 100%\n${names}`;
    return {
      ...change,
      before: source.before,
      diff: { ...change.diff, change: "rename" as const, from, patch, added: 0, removed: 0 },
    };
  });
  return found.filter((change) => !used.has(change));
}

function octal(file: GitFile | undefined): string {
  return (file?.mode ?? 0).toString(8).padStart(6, "0");
}

/** The patch as git prints it: with the line `index`, and what a hunk is in behind its `@@`. */
async function patchText(
  call: GitCall,
  changes: readonly FileChange[],
  style: DiffStyle,
  quote: QuotePath,
): Promise<string> {
  const parts: string[] = [];
  for (const change of changes) {
    const { before, after } = change;
    const diff = { ...change.diff, patch: withQuotedNames(change.diff, quote, style.prefixes) };
    const text = before && diff.patch.includes("\n@@ ") ? await textOf(call, before, diff.from ?? diff.path) : "";
    parts.push(withHeadings(withIndexLine(diff, [before, after], style.hasFullIndex ? 40 : style.idLength), text));
  }
  return parts.join("");
}

/** The text of a side; of a file that was not added yet there is no object. */
async function textOf({ git, shell }: GitCall, { oid }: GitFile, path: string): Promise<string> {
  const bytes = await git.readBlob(oid).catch(() => shell.fs.readFileBuffer(`${WORKSPACE_ROOT}${path}`));
  return new TextDecoder().decode(bytes);
}

type Sides = readonly [before: GitFile | undefined, after: GitFile | undefined];

function withIndexLine({ patch }: FileDiff, [before, after]: Sides, idLength: number): string {
  if (before?.oid === after?.oid) return patch;
  // What became a link, or was one, has two parts.
  const second = patch.indexOf("\ndiff --git ") + 1;
  if (second > 0) {
    return (
      withIndex(patch.slice(0, second), [before, undefined], idLength) +
      withIndex(patch.slice(second), [undefined, after], idLength)
    );
  }
  return withIndex(patch, [before, after], idLength);
}

function withIndex(patch: string, [before, after]: Sides, idLength: number): string {
  const ids = [before, after].map((file) => idOf(file, idLength)).join("..");
  const line = `index ${ids}${before && after && before.mode === after.mode ? ` ${octal(before)}` : ""}\n`;
  const at = /^(--- |Binary files )/m.exec(patch)?.index ?? patch.length;
  return patch.slice(0, at) + line + patch.slice(at);
}

function idOf(file: GitFile | undefined, length: number): string {
  return (file?.oid ?? "0".repeat(40)).slice(0, length);
}

/** Behind each `@@`, the last line before the hunk that begins with a letter, as git has it without a language's own rule. */
function withHeadings(patch: string, before: string): string {
  if (before === "") return patch;
  const lines = before.split("\n");
  return patch.replace(/^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@$/gm, (header, start: string) => {
    for (let at = Number(start) - 2; at >= 0; at--) {
      const line = lines[at] ?? "";
      if (/^[A-Za-z_$]/.test(line)) return `${header} ${cut(line)}`;
    }
    return header;
  });
}

/** Eighty bytes at most, and no blanks at the end. */
function cut(line: string): string {
  const bytes = new TextEncoder().encode(line.replace(/\s+$/, ""));
  return bytes.length <= 80
    ? line.replace(/\s+$/, "")
    : new TextDecoder().decode(bytes.subarray(0, 80)).replace(/\uFFFD+$/, "");
}

const LETTERS = { create: "A", modify: "M", delete: "D", rename: "R100" } as const;

export function nameStatusText(changes: readonly FileChange[], quote: QuotePath): string {
  const name = (path: string): string => quote(path.slice(1));
  return changes
    .map(({ diff }) => `${LETTERS[diff.change]}\t${diff.from ? `${name(diff.from)}\t` : ""}${name(diff.path)}\n`)
    .join("");
}

function nameOnlyText(changes: readonly FileChange[], quote: QuotePath): string {
  return changes.map(({ diff }) => `${quote(diff.path.slice(1))}\n`).join("");
}

function numbersOf({ binary, added, removed }: FileDiff): string {
  return binary ? "-\t-" : `${added}\t${removed}`;
}

function numStatText(changes: readonly FileChange[], quote: QuotePath): string {
  return changes.map(({ diff }) => `${numbersOf(diff)}\t${statName(diff, quote)}\n`).join("");
}

/** Forms whose names `-z` ends with a NUL each, and leaves as they are. */
const FOR_SCRIPTS: Readonly<Record<string, (diff: FileDiff, names: readonly string[]) => readonly string[]>> = {
  "name-only": (_diff, names) => names.slice(-1),
  "name-status": ({ change }, names) => [LETTERS[change], ...names],
  numstat: (diff, names) =>
    names.length === 1 ? [`${numbersOf(diff)}\t${names[0]}`] : [`${numbersOf(diff)}\t`, ...names],
};

/** Text of changes with `-z`; undefined where the form has none. */
export function scriptText(changes: readonly FileChange[], form: string): string | undefined {
  const parts = FOR_SCRIPTS[form];
  return (
    parts &&
    changes
      .flatMap(({ diff }) =>
        parts(
          diff,
          [...(diff.from === undefined ? [] : [diff.from]), diff.path].map((path) => path.slice(1)),
        ),
      )
      .map((part) => `${part}\0`)
      .join("")
  );
}

/** `--stat`: a line for each file, with a graph that fits into 80 columns, then the sums. */
export async function statText(call: GitCall, changes: readonly FileChange[], width = 80): Promise<string> {
  const sizes = new Map<string, string>();
  for (const { diff, before, after } of changes) {
    if (!diff.binary || before?.oid === after?.oid) continue;
    const [old, now] = [before, after].map(async (file) =>
      file ? (await call.git.readBlob(file.oid).catch(() => undefined))?.length : 0,
    );
    const [from, to] = [await old, await now];
    if (from !== undefined && to !== undefined) sizes.set(diff.path, `${from} -> ${to} bytes`);
  }
  return statLines(changes, sizes, await pathQuoter(call), width);
}

function statLines(
  changes: readonly FileChange[],
  sizes: ReadonlyMap<string, string>,
  quote: QuotePath,
  width: number,
): string {
  if (changes.length === 0) return "";
  const names = changes.map(({ diff }) => statName(diff, quote));
  const most = Math.max(...changes.map(({ diff }) => (diff.binary ? 0 : diff.added + diff.removed)));
  const hasBinary = changes.some(({ diff }) => diff.binary);
  const numberWidth = Math.max(String(most).length, hasBinary ? 3 : 0);
  const longest = Math.max(...names.map((name) => name.length));
  // What git leaves for the graph: all that the names do not take, at least three eighths.
  let nameWidth = longest;
  let graphWidth = most;
  if (nameWidth + numberWidth + 6 + graphWidth > width) {
    if (graphWidth > Math.floor((width * 3) / 8) - numberWidth - 6)
      graphWidth = Math.max(6, Math.floor((width * 3) / 8) - numberWidth - 6);
    if (nameWidth > width - numberWidth - 6 - graphWidth) nameWidth = width - numberWidth - 6 - graphWidth;
    else graphWidth = width - numberWidth - 6 - nameWidth;
  }
  const lines = changes.map(({ diff }, at) => {
    const name = shorten(names[at] ?? "", nameWidth).padEnd(nameWidth);
    if (diff.binary) return ` ${name} | ${"Bin".padStart(numberWidth)} ${sizes.get(diff.path) ?? ""}`.trimEnd() + "\n";
    const total = String(diff.added + diff.removed).padStart(numberWidth);
    const graph = graphOf(diff.added, diff.removed, most, graphWidth);
    return ` ${name} | ${total}${graph && ` ${graph}`}\n`;
  });
  return lines.join("") + summaryText(changes);
}

function graphOf(added: number, removed: number, most: number, width: number): string {
  if (most <= width) return "+".repeat(added) + "-".repeat(removed);
  const scale = (count: number): number => (count === 0 ? 0 : 1 + Math.floor((count * (width - 1)) / most));
  let total = scale(added + removed);
  if (total < 2 && added && removed) total = 2;
  if (added < removed) {
    const plus = scale(added);
    return "+".repeat(plus) + "-".repeat(total - plus);
  }
  const minus = scale(removed);
  return "+".repeat(total - minus) + "-".repeat(minus);
}

function shorten(name: string, width: number): string {
  if (name.length <= width) return name;
  const rest = name.slice(name.length - width + 3);
  const slash = rest.indexOf("/");
  return `...${slash === -1 ? rest : rest.slice(slash)}`;
}

/** What `{a => b}` a rename is in a list. */
function statName({ from, path }: FileDiff, quote: QuotePath): string {
  if (from === undefined) return quote(path.slice(1));
  const whole = [quote(from.slice(1)), quote(path.slice(1))];
  if (whole[0] !== from.slice(1) || whole[1] !== path.slice(1)) return whole.join(" => ");
  const [a, b] = [from.slice(1).split("/"), path.slice(1).split("/")];
  let head = 0;
  while (head < Math.min(a.length, b.length) - 1 && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head - 1 && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  if (head + tail === 0) return `${from.slice(1)} => ${path.slice(1)}`;
  const middle = (names: string[]): string => names.slice(head, names.length - tail).join("/");
  const before = head > 0 ? `${a.slice(0, head).join("/")}/` : "";
  const after = tail > 0 ? `/${a.slice(a.length - tail).join("/")}` : "";
  return `${before}{${middle(a)} => ${middle(b)}}${after}`;
}

export function summaryText(changes: readonly FileChange[]): string {
  const sum = (key: "added" | "removed"): number =>
    changes.reduce((total, { diff }) => total + (diff.binary ? 0 : diff[key]), 0);
  return sumsText(changes.length, sum("added"), sum("removed"));
}

/** The last line of `--stat`. */
export function sumsText(files: number, added: number, removed: number): string {
  if (files === 0) return " 0 files changed\n";
  const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
  const parts = [`${plural(files, "file")} changed`];
  if (added > 0 || removed === 0) parts.push(`${plural(added, "insertion")}(+)`);
  if (removed > 0 || added === 0) parts.push(`${plural(removed, "deletion")}(-)`);
  return ` ${parts.join(", ")}\n`;
}

/** What a commit says of files that came, went or changed their mode. */
export function modeChangesText(changes: readonly FileChange[], quote: QuotePath): string {
  return changes
    .map(({ diff, before, after }) => {
      const name = quote(diff.path.slice(1));
      if (diff.change === "create") return ` create mode ${octal(after)} ${name}\n`;
      if (diff.change === "delete") return ` delete mode ${octal(before)} ${name}\n`;
      const isRename = diff.change === "rename";
      const modes = ` mode change ${octal(before)} => ${octal(after)}${isRename ? "" : ` ${name}`}\n`;
      const mode = before?.mode === after?.mode ? "" : modes;
      return isRename ? ` rename ${statName(diff, quote)} (100%)\n${mode}` : mode;
    })
    .join("");
}

/** Text of changes as a style has it: lists, then sums, then the patch. */
export async function changesText(
  call: GitCall,
  changes: readonly FileChange[],
  style: DiffStyle = plainStyle("patch"),
): Promise<string> {
  const quote = await pathQuoter(call);
  const seen = changes.filter(isVisible);
  const is = (form: DiffStyle["forms"][number]): boolean => style.forms.includes(form);
  let text = "";
  // These leave no room for others.
  if (is("name-status")) return nameStatusText(changes, quote);
  if (is("name-only")) return nameOnlyText(changes, quote);
  if (is("check")) return checkText(changes, quote);
  if (is("raw")) text += rawText(changes, style.idLength, quote);
  if (is("numstat")) text += numStatText(seen, quote);
  if (is("stat")) text += await statText(call, seen, style.width);
  if (is("shortstat") && seen.length > 0) text += summaryText(seen);
  if (is("summary")) text += modeChangesText(changes, quote);
  const patch = is("patch") ? await patchText(call, seen, style, quote) : "";
  return text + (text && patch && "\n") + patch;
}

/** `--raw`. What is not in the repository yet has no id. */
function rawText(changes: readonly FileChange[], idLength: number, quote: QuotePath): string {
  return changes
    .map(({ diff, before, after, isStored }) => {
      const ids = `${idOf(before, idLength)} ${isStored ? idOf(after, idLength) : "0".repeat(idLength)}`;
      const from = diff.from === undefined ? "" : `${quote(diff.from.slice(1))}\t`;
      return `:${octal(before)} ${octal(after)} ${ids} ${LETTERS[diff.change]}\t${from}${quote(diff.path.slice(1))}\n`;
    })
    .join("");
}
