import type { FilePatch } from "./file-patch.ts";
import { malformed } from "./file-patch.ts";

/** Types of what a tree of git has, above the permission bits. */
const TYPES = { file: 0o100000, link: 0o120000, submodule: 0o160000, folder: 0o040000 } as const;

const INSTEAD = "Use 100644, 100755 for what is executable, or 120000 for a symbolic link";

/** A mode of git's header lines. Throws for what is neither a file nor a link; `at` is the line, from 1. */
export function readFileMode(text: string, at: number): Pick<FilePatch, "mode" | "isLink"> {
  const mode = /^[0-7]{6}$/.test(text) ? Number.parseInt(text, 8) : 0;
  const type = mode & 0o170000;
  if (type === TYPES.link) return { isLink: true };
  if (type === TYPES.file) return { mode: mode & 0o7777 };
  if (type === TYPES.submodule) {
    throw malformed(
      at,
      `${text} is a submodule, and the files of one are not part of the tree. Leave it out of the patch`,
    );
  }
  if (type === TYPES.folder) throw malformed(at, `${text} is a folder, which comes with the files in it. ${INSTEAD}`);
  throw malformed(at, `"${text.slice(0, 40)}" is no mode of a file. ${INSTEAD}`);
}
