import { check } from "./check.ts";
import { fails, type FileSystemRun } from "./file-system-run.ts";

const MEBIBYTE = 1024 * 1024;
/** 100 MB, and not a whole number of any part that a store may cut it into. */
const HUGE = 100 * 1000 * 1000 + 7;

/** Bytes that differ from one place to the next, with a period that is no power of two. */
function pattern(size: number, from = 0): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at++) bytes[at] = (from + at) % 251;
  return bytes;
}

function isPattern(bytes: Uint8Array, from = 0): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== (from + at) % 251) return false;
  return true;
}

export const fileSystemSizeCases: Readonly<Record<string, FileSystemRun>> = {
  "an empty file is a file": async (fs) => {
    await fs.writeFileBytes("/empty", new Uint8Array(0));
    await fs.appendFile("/made", "");
    await fs.cp("/empty", "/copy");
    await fs.mv("/empty", "/moved");
    for (const path of ["/made", "/copy", "/moved"]) {
      const { type, size } = await fs.stat(path);
      check(type === "file" && size === 0, `${path} to be a file of 0 bytes`);
      check((await fs.readFileBytes(path)).length === 0, `nothing in ${path}`);
      if (fs.readRange) check((await fs.readRange(path, 0, 10)).length === 0, `nothing in a range of ${path}`);
    }
    await fs.appendFile("/copy", "now");
    check((await fs.readFile("/copy")) === "now", "what was added");
  },
  "ranges at their borders": async (fs, { passOver }) => {
    if (!fs.readRange) return passOver?.("readRange");
    const size = 2 * MEBIBYTE + 3;
    await fs.writeFileBytes("/r", pattern(size));
    const ranges: readonly (readonly [number, number, number])[] = [
      [0, 1, 1],
      [0, MEBIBYTE, MEBIBYTE],
      [MEBIBYTE - 1, 2, 2],
      [MEBIBYTE, MEBIBYTE, MEBIBYTE],
      [MEBIBYTE - 1, MEBIBYTE + 2, MEBIBYTE + 2],
      [2 * MEBIBYTE, 3, 3],
      [2 * MEBIBYTE, MEBIBYTE, 3],
      [size - 1, 1, 1],
      [size - 1, 99, 1],
      [size, 1, 0],
      [size + MEBIBYTE, MEBIBYTE, 0],
      [0, size + 1, size],
    ];
    for (const [offset, length, expected] of ranges) {
      const part = await fs.readRange("/r", offset, length);
      check(
        part.length === expected && isPattern(part, offset),
        `${expected} bytes from ${offset}, asked for ${length}`,
      );
    }
    for (const [offset, length] of [
      [0, -1],
      [-1, 1],
    ] as const) {
      await fails(fs.readRange("/r", offset, length), "EINVAL");
    }
    await fs.mkdir("/d");
    await fails(fs.readRange("/d", 0, 1), "EISDIR");
  },
  "many small appends": async (fs) => {
    let expected = "";
    for (let index = 0; index < 400; index++) {
      const line = `${index}\u00e9\n`;
      await fs.appendFile("/log", index % 2 ? line : new TextEncoder().encode(line));
      expected += line;
    }
    check((await fs.readFile("/log")) === expected, "every line, in order");
    check((await fs.stat("/log")).size === new TextEncoder().encode(expected).length, "their bytes together");
  },
  "several thousand names in a directory": async (fs) => {
    const names = Array.from({ length: 3000 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => fs.writeFile(`/many/${name}`, name)));
    const sorted = names.toSorted();
    check((await fs.readdir("/many")).join() === sorted.join(), "every name, sorted");
    check(
      (await fs.readdirWithFileTypes("/many")).every(({ type }) => type === "file"),
      "all of them files",
    );
    await fs.mv("/many", "/moved");
    check((await fs.readdir("/moved")).length === 3000, "every name after a move");
    check((await fs.readFile("/moved/n2999")) === "n2999", "the text of the last one");
    await fs.cp("/moved", "/copy", { recursive: true });
    check((await fs.readdir("/copy")).length === 3000, "every name in a copy");
    await fs.rm("/moved", { recursive: true });
    check((await fs.readdir("/")).join() === "copy", "all of them to go");
  },
  "calls that are not awaited take effect in their order": async (fs) => {
    const calls = [
      fs.writeFile("/a", "1"),
      fs.appendFile("/a", "2"),
      fs.mv("/a", "/b"),
      fs.writeFile("/a", "3"),
      fs.appendFile("/b", "4"),
      fs.mkdir("/d"),
      fs.cp("/b", "/d/c"),
      fs.rm("/b"),
    ];
    const read = fs.readFile("/d/c");
    await Promise.all(calls);
    check((await read) === "124", "a reading to see what came before it");
    check(
      (await fs.readdir("/")).join() === "a,d" && (await fs.readFile("/a")) === "3",
      "each on what the last one left",
    );
    const refused = fs.rm("/none");
    const after = fs.writeFile("/after", "x");
    await fails(refused, "ENOENT");
    await after;
    check((await fs.readFile("/after")) === "x", "a call after one that failed to be done");
  },
  "a file of 100 MB is whole": async (fs, { takesHugeFiles = false, passOver }) => {
    if (!takesHugeFiles) return passOver?.("files of 100 MB");
    await fs.writeFileBytes("/huge", pattern(HUGE));
    check((await fs.stat("/huge")).size === HUGE, "its size");
    if (!fs.readRange) {
      const bytes = await fs.readFileBytes("/huge");
      check(bytes.length === HUGE && isPattern(bytes), "every byte");
      return;
    }
    for (let at = 0; at < HUGE; at += 4 * MEBIBYTE) {
      const part = await fs.readRange("/huge", at, 4 * MEBIBYTE);
      check(part.length === Math.min(4 * MEBIBYTE, HUGE - at) && isPattern(part, at), `the bytes from ${at}`);
    }
  },
};
