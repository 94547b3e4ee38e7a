import type { GitCommitData, GitFile, GitStages } from "@tenrec/protocol";
import { isBinary, WORKSPACE_ROOT } from "@tenrec/protocol";
import { combinedHunks } from "./combined-hunks.ts";
import type { DiffStyle } from "./diff-options.ts";
import { type GitCall, isSelected, notHere } from "./git-call.ts";
import { pathQuoter } from "./quote-path.ts";

/** A larger file is not compared. */
const MAX_BYTES = 1024 * 1024;

interface Combined {
  readonly name: string;
  readonly sides: readonly (GitFile | undefined)[];
  readonly result: GitFile | undefined;
}

/** Files of a merge that are as none of its parents has them; sorted. */
export async function changedFromAll(
  { git }: GitCall,
  { oid, parents }: GitCommitData,
  paths: readonly string[],
): Promise<Combined[]> {
  const result = await git.files({ commit: oid });
  const sides = await Promise.all(parents.map((parent) => git.files({ commit: parent })));
  const names = new Set([...result.keys(), ...sides.flatMap((side) => [...side.keys()])]);
  const isSame = (a: GitFile | undefined, b: GitFile | undefined): boolean => a?.oid === b?.oid && a?.mode === b?.mode;
  return [...names]
    .sort()
    .map((name) => ({ name, result: result.get(name), sides: sides.map((side) => side.get(name)) }))
    .filter(
      ({ name, result: now, sides: all }) => isSelected(`/${name}`, paths) && !all.some((each) => isSame(each, now)),
    );
}

/** What `git show` prints of files that a merge has in a way of its own: the list that is asked for, or the patch. */
export async function combinedText(call: GitCall, files: readonly Combined[], style: DiffStyle): Promise<string> {
  const quote = await pathQuoter(call);
  if (style.forms.includes("name-only")) return files.map(({ name }) => `${quote(name)}\n`).join("");
  if (style.forms.includes("name-status"))
    return files.map(({ name, ...file }) => `${lettersOf(file)}\t${quote(name)}\n`).join("");
  if (style.forms.includes("raw") && files.length > 0) notHere("show --raw of a merge", "use --name-status");
  if (!style.forms.includes("patch")) return "";
  const texts = await Promise.all(files.map((file) => filePatch(call, file, style, true)));
  return texts.join("");
}

function lettersOf({ sides, result }: Omit<Combined, "name">): string {
  return sides.map((side) => (result ? (side ? "M" : "A") : "D")).join("");
}

/** What `git diff` prints of a file of which both sides are there, as the work tree has it now. */
export async function conflictPatch(
  call: GitCall,
  name: string,
  [, ours, theirs]: GitStages,
  style: DiffStyle,
): Promise<string> {
  const result = (await call.git.files("work")).get(name);
  return filePatch(call, { name, sides: [ours, theirs], result }, style, false);
}

async function filePatch(
  call: GitCall,
  { name, sides, result }: Combined,
  style: DiffStyle,
  isStored: boolean,
): Promise<string> {
  if (style.lines.context !== undefined || style.lines.ignoreSpace)
    notHere("a diff of several sides with -U, -w or -b", "leave it out");
  const quote = await pathQuoter(call);
  const length = style.hasFullIndex ? 40 : style.idLength;
  const id = (file: GitFile | undefined): string => (file?.oid ?? "0".repeat(40)).slice(0, length);
  const now = isStored || !result ? id(result) : "0".repeat(length);
  const [left, right] = style.prefixes.map((prefix) => quote(prefix + name));
  const head = `diff --cc ${quote(name)}\nindex ${sides.map(id).join(",")}..${now}\n${modesText(sides, result)}`;
  if (!result && !isStored) return `${head}--- ${left}\n+++ /dev/null\n`;
  const contents = await Promise.all([
    ...sides.map((side) => contentOf(call, side)),
    resultOf(call, name, result, isStored),
  ]);
  const hunks = hunksOf(contents);
  if (typeof hunks !== "string") return `${head}${hunks.reason}\n`;
  if (hunks === "" && isStored && sides.every((side) => side?.mode === result?.mode)) return "";
  const from = sides.some(Boolean) ? left : "/dev/null";
  return `${head}--- ${from}\n+++ ${result ? right : "/dev/null"}\n${hunks}`;
}

/** Of the contents of the sides, and behind them of the result. */
function hunksOf(contents: readonly Uint8Array[]): string | { readonly reason: string } {
  if (contents.some((content) => isBinary(content))) return { reason: "Binary files differ" };
  if (contents.some((content) => content.length > MAX_BYTES)) return { reason: "Too large to compare" };
  const texts = contents.map(linesOf);
  return combinedHunks(texts.slice(0, -1), texts.at(-1) ?? []);
}

function modesText(sides: readonly (GitFile | undefined)[], result: GitFile | undefined): string {
  const mode = (file: GitFile | undefined): string => (file?.mode ?? 0).toString(8).padStart(6, "0");
  const modes = sides.map(mode).join(",");
  if (!result) return `deleted file mode ${modes}\n`;
  if (!sides.some(Boolean)) return `new file mode ${mode(result)}\n`;
  return sides.every((side) => side?.mode === result.mode) ? "" : `mode ${modes}..${mode(result)}\n`;
}

async function contentOf({ git }: GitCall, file: GitFile | undefined): Promise<Uint8Array> {
  return file ? git.readBlob(file.oid) : new Uint8Array(0);
}

async function resultOf(
  call: GitCall,
  name: string,
  result: GitFile | undefined,
  isStored: boolean,
): Promise<Uint8Array> {
  if (isStored || !result) return contentOf(call, result);
  const path = `${WORKSPACE_ROOT}/${name}`;
  if (result.mode === 0o120000) return new TextEncoder().encode(await call.shell.fs.readlink(path));
  return call.shell.fs.readFileBuffer(path);
}

function linesOf(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
