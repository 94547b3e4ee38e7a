import type { TarHeader } from "modern-tar";
import { modeText } from "../list-columns.ts";

const LETTERS: Readonly<Record<string, string>> = {
  link: "h",
  fifo: "p",
  "character-device": "c",
  "block-device": "b",
};

/** Lines of `tar tv`: the columns of owner and size get wider as they have to. */
export function createLister(isNumeric: boolean): (header: TarHeader) => string {
  let width = 19;
  return (header) => {
    const { type = "file", mode = 0, linkname, uid = 0, gid = 0, uname, gname } = header;
    const bits = modeText({ isSymbolicLink: false, isDirectory: type === "directory", mode });
    const first = type === "symlink" ? "l" : (LETTERS[type] ?? bits.charAt(0));
    const owner = isNumeric ? `${uid}/${gid}` : `${uname || uid}/${gname || gid}`;
    const size = String(type === "file" ? header.size : 0);
    width = Math.max(width, owner.length + 1 + size.length);
    const time = (header.mtime ?? new Date(0)).toISOString().slice(0, 16).replace("T", " ");
    const link = type === "symlink" ? ` -> ${linkname}` : type === "link" ? ` link to ${linkname}` : "";
    return `${first}${bits.slice(1)} ${owner}${size.padStart(width - owner.length)} ${time} ${header.name}${link}\n`;
  };
}
