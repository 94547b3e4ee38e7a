import type { FilePatch, Patch } from "./file-patch.ts";
import { malformed, patchFailed } from "./file-patch.ts";
import type { LineRange } from "./parse-patch.ts";
import { readFileMode } from "./file-mode.ts";
import { NOTHING, bare, isSameName, readName, readNames } from "./patch-name.ts";
import { isHunkHeader, readUnifiedHunks } from "./read-unified-hunks.ts";

/** The lines above a file's hunks, as far as they were read. */
interface Header {
  at: number;
  isGit: boolean;
  names?: readonly [string, string];
  kind?: "create" | "delete" | "copy";
  from?: string;
  to?: string;
  type?: Pick<FilePatch, "mode" | "isLink">;
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
      const names = readNames(line.slice("diff --git ".length), at + 1);
      if (names) header.names = bare(...names);
    } else if (isFileLines(lines, at)) {
      header ??= { at: at + 1, isGit: false, hasFileLines: false };
      readFileNames(header, lines, at);
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
  readMode(line, header, at + 1);
  readMove(line, header, at + 1);
}

/** The two lines with the names of the file, which have to be those that the header has. */
function readFileNames(header: Header, lines: readonly string[], at: number): void {
  const names = bare(readName(lines[at]!.slice(4), at + 1), readName(lines[at + 1]!.slice(4), at + 2));
  const before = [header.from ?? header.names?.[0], header.to ?? header.names?.[1]];
  for (const [side, name] of names.entries()) {
    const other = before[side];
    if (header.isGit && other !== undefined && name !== NOTHING && !isSameName(name, other)) {
      const said = `the file is ${JSON.stringify(name)} here, and ${JSON.stringify(other)} above`;
      throw malformed(at + 1 + side, `${said}. Name the file that is meant in all of its lines`);
    }
  }
  header.names = names;
  header.hasFileLines = true;
}

function readMode(line: string, header: Header, at: number): void {
  const [, what, text = ""] = /^(new file|new|deleted file|old) mode (.*)$/.exec(line) ?? [];
  const indexed = /^index [0-9a-f]+\.\.[0-9a-f]+ (\S+)$/.exec(line)?.[1];
  if (what === undefined && indexed === undefined) return;
  const type = readFileMode(indexed ?? text.trimEnd(), at);
  if (what === "new file") header.kind = "create";
  if (what === "deleted file") header.kind = "delete";
  if (what === "new file" || what === "new") header.type = type;
  if (what === "new" && type.isLink) {
    const instead = "Delete the file in one part of the patch, and create the link in another one";
    throw malformed(at, `a file does not become a link by its mode. ${instead}`);
  }
}

function readMove(line: string, header: Header, at: number): void {
  const [, what, end, name] = /^(rename|copy) (from|to) (.+)$/.exec(line) ?? [];
  if (name === undefined) return;
  if (what === "copy") header.kind = "copy";
  if (end === "from") header.from = readName(name, at);
  else header.to = readName(name, at);
}

function toFilePatch(header: Header, hunks: FilePatch["hunks"]): FilePatch {
  const { at } = header;
  const [left, right] = sidesOf(header);
  const kind: FilePatch["kind"] =
    header.kind ?? (left === NOTHING ? "create" : right === NOTHING ? "delete" : "update");
  if (hunks.length === 0 && header.hasFileLines && kind === "update" && left === right) {
    throw patchFailed(`the patch has no hunk for ${left}. Nothing was changed`);
  }
  const moves = kind === "copy" || (kind === "update" && (left !== right || header.to !== undefined));
  const file = { kind, path: kind === "create" ? right : left, ...(moves ? { to: right } : {}), hunks, at };
  return kind === "delete" ? file : { ...file, ...header.type };
}

/** Names of the file before and after. */
function sidesOf(header: Header): readonly [string, string] {
  const { at, names, from, to } = header;
  const [left, right] = [from ?? names?.[0], to ?? names?.[1]];
  if (left === undefined || right === undefined) throw malformed(at, "the names of the file cannot be told");
  if (left === NOTHING && right === NOTHING) throw malformed(at, "there is no file on either side");
  if (left === NOTHING) refuseNothing(header, "delete");
  if (right === NOTHING) refuseNothing(header, "create");
  return [left, right];
}

/** What moves is there before and after; what is deleted, before; what is created, after. */
function refuseNothing({ at, kind, from, to }: Header, never: Header["kind"]): void {
  const isMove = kind === "copy" || from !== undefined || to !== undefined;
  if (kind !== never && !isMove) return;
  const has = `one line has ${NOTHING} for the file, and another one says that it is ${isMove ? "moved" : `${kind}d`}`;
  throw malformed(at, `${has}. Write a part for each file that comes, goes or moves`);
}
