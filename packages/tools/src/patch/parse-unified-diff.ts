import type { FilePatch, Patch } from "./file-patch.ts";
import { malformed, patchFailed } from "./file-patch.ts";
import type { LineRange } from "./parse-patch.ts";
import { NOTHING, bare, readName, readNames } from "./patch-name.ts";
import { isHunkHeader, readUnifiedHunks } from "./read-unified-hunks.ts";

/** The lines above a file's hunks, as far as they were read. */
interface Header {
  at: number;
  isGit: boolean;
  names?: readonly [string, string];
  kind?: "create" | "delete" | "copy";
  from?: string;
  to?: string;
  mode?: number;
  hasFileLines: boolean;
}

/** Reads a unified diff, of git too. What is before and between the files, such as a mail's text, says nothing. */
export function parseUnifiedDiff(lines: readonly string[], { from, to }: LineRange): Patch {
  const files: FilePatch[] = [];
  let header: Header | undefined;
  let at = from;
  const finish = (): void => {
    if (header?.isGit && !header.hasFileLines) files.push(toFilePatch(header, []));
    header = undefined;
  };
  while (at < to) {
    const line = lines[at] ?? "";
    if (line.startsWith("diff --git ")) {
      finish();
      header = { at: at + 1, isGit: true, hasFileLines: false };
      const names = readNames(line.slice("diff --git ".length));
      if (names) header.names = bare(...names);
    } else if (isFileLines(lines, at)) {
      header ??= { at: at + 1, isGit: false, hasFileLines: false };
      header.names = bare(readName(line.slice(4)), readName(lines[at + 1]!.slice(4)));
      header.hasFileLines = true;
      const { hunks, next } = readUnifiedHunks(lines, at + 2, to);
      files.push(toFilePatch(header, hunks));
      header = undefined;
      at = next - 1;
    } else if (isHunkHeader(line)) {
      throw malformed(at + 1, 'the hunk belongs to no file. Put "--- a/<path>" and "+++ b/<path>" before it');
    } else readHeaderLine(line, header, at);
    at += 1;
  }
  finish();
  return { format: "unified", files };
}

function isFileLines(lines: readonly string[], at: number): boolean {
  return (lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) ?? false;
}

function readHeaderLine(line: string, header: Header | undefined, at: number): void {
  if (/^Binary files .* differ$|^GIT binary patch$|^Too large to compare: /.test(line)) {
    throw malformed(
      at + 1,
      "it has no content for a file that is binary or too large; write or copy that file instead",
    );
  }
  if (!header?.isGit) return;
  readMode(line, header);
  readMove(line, header);
}

function readMode(line: string, header: Header): void {
  const [, what, mode] = /^(new file|new|deleted file) mode (\d{6})$/.exec(line) ?? [];
  if (mode === undefined) return;
  if (what === "new file") header.kind = "create";
  if (what === "deleted file") header.kind = "delete";
  header.mode = Number.parseInt(mode, 8);
}

function readMove(line: string, header: Header): void {
  const [, what, end, name] = /^(rename|copy) (from|to) (.+)$/.exec(line) ?? [];
  if (name === undefined) return;
  if (what === "copy") header.kind = "copy";
  if (end === "from") header.from = readName(name);
  else header.to = readName(name);
}

/** File type of a symbolic link, above its permission bits. */
const LINK_TYPE = 0o120000;

function toFilePatch(header: Header, hunks: FilePatch["hunks"]): FilePatch {
  const { at } = header;
  const [left, right] = sidesOf(header);
  const kind: FilePatch["kind"] =
    header.kind ?? (left === NOTHING ? "create" : right === NOTHING ? "delete" : "update");
  if (hunks.length === 0 && header.hasFileLines && kind === "update" && left === right) {
    throw patchFailed(`the patch has no hunk for ${left}. Nothing was changed`);
  }
  const moves = kind === "copy" || (kind === "update" && left !== right);
  const file = { kind, path: kind === "create" ? right : left, ...(moves ? { to: right } : {}), hunks, at };
  return kind === "delete" ? file : { ...file, ...typeOf(header) };
}

/** Names of the file before and after. */
function sidesOf({ at, names, from, to }: Header): readonly [string, string] {
  const [left, right] = [from ?? names?.[0], to ?? names?.[1]];
  if (left === undefined || right === undefined) throw malformed(at, "the names of the file cannot be told");
  if (left === NOTHING && right === NOTHING) throw malformed(at, "there is no file on either side");
  return [left, right];
}

function typeOf({ mode }: Header): Pick<FilePatch, "mode" | "isLink"> {
  if (mode === undefined) return {};
  return (mode & 0o170000) === LINK_TYPE ? { isLink: true } : { mode: mode & 0o7777 };
}
