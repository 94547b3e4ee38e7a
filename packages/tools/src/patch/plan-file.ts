import { isBinary, TenrecError } from "@tenrec/protocol";
import { changedText } from "../edit/changed-text.ts";
import { linesOf } from "../edit/text-lines.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";
import type { FilePatch, Patch } from "./file-patch.ts";
import { malformed, patchFailed } from "./file-patch.ts";
import { oldLines } from "./place-hunks.ts";
import type { PatchedText } from "./patch-text.ts";
import { patchText } from "./patch-text.ts";
import type { FileState, PatchedFiles } from "./patched-files.ts";

/** What a patch did to a file, with paths as the model knows them. */
export interface PatchedFile {
  /** As `git status` has it: added, modified, deleted, renamed or copied. */
  readonly change: "A" | "M" | "D" | "R" | "C";
  readonly path: string;
  readonly to?: string;
  readonly added: number;
  readonly removed: number;
  readonly notes: readonly string[];
  /** What changed, of a file with notes. */
  readonly diff?: string;
  /** Tree path of what the model knows afterwards, if it knew what was there before. */
  readonly known?: string;
}

export interface PlanOptions {
  readonly format: Patch["format"];
  /** Tree paths that the patch deletes or moves away. */
  readonly leaving: ReadonlySet<string>;
  /** Tree paths that it has a part for. */
  readonly named: ReadonlySet<string>;
  /** Whether a file, as it is on disk, is as the model last saw it; undefined when it never did. */
  isSeen(path: string): Promise<boolean | undefined>;
}

type TextFile = Extract<FileState, { kind: "file" }>;
type Link = Extract<FileState, { kind: "link" }>;

const encoder = new TextEncoder();

/** Does one file's part of a patch in `files`. Throws when it does not apply; then the patch as a whole does not. */
export async function planFile(files: PatchedFiles, patch: FilePatch, options: PlanOptions): Promise<PatchedFile> {
  switch (patch.kind) {
    case "set":
      return setFile(files, patch);
    case "create":
      return createFile(files, patch, options);
    case "delete":
      return deleteFile(files, patch, options);
    case "update":
    case "copy":
      return updateFile(files, patch, options);
  }
}

async function setFile(files: PatchedFiles, patch: FilePatch): Promise<PatchedFile> {
  const path = await files.follow(toTreePath(patch.path));
  const before = await files.now(path);
  if (before?.kind === "directory") throw new TenrecError("EISDIR", { path });
  if (files.isSet(path)) throw writtenTwice(path, patch);
  const mode = before?.kind === "file" ? before.mode : undefined;
  await files.set(path, { kind: "file", bytes: encoder.encode(newText(patch)), mode });
  const notes = before ? [`${toModelPath(path)} was there before; all of it was replaced.`] : [];
  return { change: before ? "M" : "A", path: toModelPath(path), ...counted(patch), notes, known: path };
}

async function createFile(files: PatchedFiles, patch: FilePatch, { leaving }: PlanOptions): Promise<PatchedFile> {
  const path = toTreePath(patch.path);
  await checkFree(files, path, leaving);
  const text = newText(patch);
  // Models leave out that the file has no line end, and no target has one.
  const state: FileState = patch.isLink
    ? { kind: "link", target: text.endsWith("\n") ? text.slice(0, -1) : text }
    : { kind: "file", bytes: encoder.encode(text), mode: patch.mode };
  await files.set(path, state);
  const known = patch.isLink ? {} : { known: path };
  return { change: "A", path: toModelPath(path), ...counted(patch), notes: [], ...known };
}

async function deleteFile(files: PatchedFiles, patch: FilePatch, { format }: PlanOptions): Promise<PatchedFile> {
  const path = toTreePath(patch.path);
  const state = await existing(files, path, patch);
  const name = toModelPath(path);
  if (format === "unified") {
    // A diff says what it deletes; something else there is somebody's work.
    const text = state.kind === "link" ? state.target : decode(state, path);
    const gone = patch.hunks.flatMap((hunk) => oldLines(hunk.lines)).map((line) => `${line}\n`);
    const plain = (content: string): string => {
      const lines = content.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
      return (lines.at(-1) === "" ? lines.slice(0, -1) : lines).join("\n");
    };
    if (plain(text) !== plain(gone.join(""))) {
      throw patchFailed(`${name} has other content than what the patch deletes. Read it again. Nothing was changed`);
    }
  }
  await files.set(path, undefined);
  return { change: "D", path: name, ...counted(patch), notes: [] };
}

async function updateFile(files: PatchedFiles, patch: FilePatch, options: PlanOptions): Promise<PatchedFile> {
  const named = toTreePath(patch.path);
  const link = await patchedLink(files, named, patch, options);
  const path = link ? named : await files.follow(named);
  const to = placeOf(patch, named);
  // A move takes what was there before the patch, whatever the patch put in its place.
  const before = await existing(files, path, patch, to !== undefined && options.format === "unified");
  const patched = link ?? patchedFile(before, patch, options, path);
  const isSeen = link ? undefined : await options.isSeen(path);
  if (isSeen === false && before.kind === "file" && patched.notes?.length) throw changed(before, path, patch);
  const result = { path: toModelPath(path), ...counted(patch), ...(link ? { notes: [] } : shownNotes(patched)) };
  const known = (place: string): Pick<PatchedFile, "known"> => (isSeen ? { known: place } : {});
  if (to !== undefined && to !== path) {
    const replaced = (await files.now(to)) ? [`${toModelPath(to)} was there before; all of it was replaced.`] : [];
    const change = await moveTo(files, { path, to, state: patched.state }, patch, options);
    return { change, ...result, notes: [...result.notes, ...replaced], to: toModelPath(to), ...known(to) };
  }
  if (isUnchanged(before, patched.state)) throw patchFailed(`the patch changes nothing in ${toModelPath(path)}`);
  await files.set(path, patched.state);
  return { change: "M", ...result, ...known(path) };
}

/** Where a file goes that is moved or copied. */
function placeOf({ kind, to, at }: FilePatch, from: string): string | undefined {
  const place = to === undefined ? undefined : toTreePath(to);
  if (place !== from) return place;
  const what = `${toModelPath(from)} is ${kind === "copy" ? "copied" : "moved"} to itself`;
  throw malformed(at, `${what}. Leave the move out, or give it another target`);
}

/** A hunk that fits somehow may have been meant for what was there before. */
function changed(before: TextFile, path: string, { hunks }: FilePatch): TenrecError<"tool-failed"> {
  const wanted = hunks.flatMap((hunk) => oldLines(hunk.lines)).join("\n");
  return patchFailed(changedText(toModelPath(path), linesOf(decode(before, path)), wanted, "the patch").reason);
}

interface Move {
  readonly path: string;
  readonly to: string;
  readonly state: FileState;
}

async function moveTo(
  files: PatchedFiles,
  { path, to, state }: Move,
  patch: FilePatch,
  { format, leaving, named }: PlanOptions,
): Promise<"R" | "C"> {
  if (format === "unified") await checkFree(files, to, leaving);
  else await checkReplaced(files, to, patch, named);
  await files.set(to, state);
  if (patch.kind === "copy") return "C";
  if (!files.isSet(path) || format === "codex") await files.set(path, undefined);
  return "R";
}

/** A move in the format of Codex replaces what is there, but nothing that the patch itself is about. */
async function checkReplaced(
  files: PatchedFiles,
  path: string,
  patch: FilePatch,
  named: ReadonlySet<string>,
): Promise<void> {
  const there = await files.now(path);
  if (there?.kind === "directory") throw new TenrecError("EISDIR", { path });
  if (there && (files.isSet(path) || named.has(path))) throw writtenTwice(path, patch);
}

/** What the patch has for the file would be lost. */
function writtenTwice(path: string, { at }: FilePatch): TenrecError<"tool-failed"> {
  const what = `this would replace what the patch has elsewhere for ${toModelPath(path)}`;
  return malformed(at, `${what}. Write one part for each file, or two patches`);
}

interface Patched extends Partial<Pick<PatchedText, "notes" | "diff">> {
  readonly state: FileState;
}

function patchedFile(before: TextFile | Link, patch: FilePatch, { format }: PlanOptions, path: string): Patched {
  if (before.kind === "link") return { state: before };
  const mode = patch.mode ?? before.mode;
  if (patch.hunks.length === 0) return { state: { ...before, mode } };
  const { text, ...said } = patchText(decode(before, path), patch, format, toModelPath(path));
  return { state: { kind: "file", bytes: encoder.encode(text), mode }, ...said };
}

/** For a diff, the text of a link is its target. Undefined when the patch is for the file that the link leads to. */
async function patchedLink(
  files: PatchedFiles,
  path: string,
  patch: FilePatch,
  { format }: PlanOptions,
): Promise<Patched | undefined> {
  const before = await files.now(path);
  if (format !== "unified" || before?.kind !== "link") return undefined;
  if (patch.hunks.length === 0) return { state: before };
  const [gone, ...more] = patch.hunks.flatMap((hunk) => oldLines(hunk.lines));
  if (more.length > 0 || gone !== before.target) return undefined;
  return { state: { kind: "link", target: patchText(before.target, patch, format, toModelPath(path)).text } };
}

async function existing(
  files: PatchedFiles,
  path: string,
  { at }: FilePatch,
  original = false,
): Promise<TextFile | Link> {
  const state = await (original ? files.before(path) : files.now(path));
  if (state === undefined) {
    const advice = "Check the path with ls or glob, or add the file. Nothing was changed";
    throw patchFailed(`there is no file ${toModelPath(path)} (line ${at} of the patch). ${advice}`);
  }
  if (state.kind === "directory") throw new TenrecError("EISDIR", { path });
  return state;
}

/** A folder at the path may go, when the patch empties it. */
async function checkFree(files: PatchedFiles, path: string, leaving: ReadonlySet<string>): Promise<void> {
  const state = await files.now(path);
  if (state === undefined || state.kind === "directory") return;
  if (!files.isSet(path) && leaving.has(path)) return;
  const advice = "Read it and make the patch an update of it, or choose another path. Nothing was changed";
  throw patchFailed(`${toModelPath(path)} exists already. ${advice}`);
}

function decode(state: TextFile | Link, path: string): string {
  const name = toModelPath(path);
  if (state.kind === "link") return state.target;
  if (isBinary(state.bytes)) throw patchFailed(`${name} is a binary file. Change it with bash. Nothing was changed`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(state.bytes);
  } catch {
    throw patchFailed(`${name} is not valid UTF-8, so a patch would damage it. Change it with bash, such as sed -i`);
  }
}

/** The content that a patch gives to a file without one. */
function newText({ hunks }: FilePatch): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ sign }) => sign === "+"));
  return lines.map(({ text, noEnd }) => (noEnd ? text : `${text}\n`)).join("");
}

function counted({ hunks }: FilePatch): Pick<PatchedFile, "added" | "removed"> {
  const count = (wanted: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter(({ sign }) => sign === wanted).length, 0);
  return { added: count("+"), removed: count("-") };
}

function shownNotes({ notes = [], diff }: Patched): Pick<PatchedFile, "notes" | "diff"> {
  return { notes, ...(diff ? { diff: diff.text } : {}) };
}

function isUnchanged(a: FileState, b: FileState): boolean {
  if (a?.kind === "link" && b?.kind === "link") return a.target === b.target;
  if (a?.kind !== "file" || b?.kind !== "file") return false;
  const isSame = a.bytes.length === b.bytes.length && a.bytes.every((byte, at) => byte === b.bytes[at]);
  return isSame && a.mode === b.mode;
}
