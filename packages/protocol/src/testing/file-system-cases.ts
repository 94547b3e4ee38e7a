import { check } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";
import { fileSystemKeepCases } from "./file-system-keep-cases.ts";
import { fileSystemNameCases } from "./file-system-name-cases.ts";
import { fileSystemPathCases } from "./file-system-path-cases.ts";
import { fails, type FileSystemRun, type FileSystemSubject } from "./file-system-run.ts";
import { fileSystemSizeCases } from "./file-system-size-cases.ts";
import { fileSystemTreeCases } from "./file-system-tree-cases.ts";

const decoder = new TextDecoder();

const CONTENT: Readonly<Record<string, FileSystemRun>> = {
  "what is written is read": async (fs) => {
    await fs.writeFile("/a.txt", "héllo\n");
    check((await fs.readFile("/a.txt")) === "héllo\n", "the text");
    check(decoder.decode(await fs.readFileBytes("/a.txt")) === "héllo\n", "its bytes in UTF-8");
    await fs.writeFile("/a.txt", "");
    check((await fs.readFile("/a.txt")) === "", "the new, empty text");
    check((await fs.stat("/a.txt")).size === 0, "a size of 0");
  },
  "bytes that are not text are kept": async (fs) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await fs.writeFileBytes("/b", bytes);
    check((await fs.readFileBytes("/b")).join() === bytes.join(), "every byte");
    await fs.writeFileBytes("/c", Uint8Array.of(0x61, 0xff, 0x62));
    check((await fs.readFile("/c")) === "a\ufffdb", "U+FFFD for the invalid byte");
  },
  "a byte order mark is kept": async (fs) => {
    await fs.writeFile("/bom", "\ufeffx");
    check((await fs.readFile("/bom")) === "\ufeffx", "the mark and the x");
  },
  "content is copied in and out": async (fs) => {
    const bytes = Uint8Array.of(1, 2, 3);
    await fs.writeFileBytes("/b", bytes);
    bytes[0] = 9;
    const read = await fs.readFileBytes("/b");
    check(read.join() === "1,2,3", "the bytes as they were written");
    read[0] = 9;
    check((await fs.readFileBytes("/b")).join() === "1,2,3", "a copy that is the caller's");
  },
  "append adds to the end and creates": async (fs) => {
    await fs.appendFile("/log", "one\n");
    await fs.appendFile("/log", Uint8Array.of(0xff));
    await fs.appendFile("/log", "");
    const before = await fs.readFileBytes("/log");
    await fs.appendFile("/log", "two");
    check((await fs.readFileBytes("/log")).join() === "111,110,101,10,255,116,119,111", "all of it, in order");
    check(before.length === 5, "an earlier reading to stay as it was");
  },
  "append to a copy leaves the original": async (fs) => {
    await fs.appendFile("/a", "1");
    await fs.appendFile("/a", "2");
    await fs.cp("/a", "/b");
    await fs.appendFile("/a", "a");
    await fs.appendFile("/b", "b");
    check((await fs.readFile("/a")) === "12a", "12a in the original");
    check((await fs.readFile("/b")) === "12b", "12b in the copy");
  },
  "a range is a part of the file": async (fs, { passOver }) => {
    if (!fs.readRange) return passOver?.("readRange");
    await fs.writeFile("/r", "0123456789");
    const range = async (offset: number, length: number): Promise<string> =>
      decoder.decode(await fs.readRange?.("/r", offset, length));
    check((await range(2, 3)) === "234", "234");
    check((await range(8, 10)) === "89", "what there is at the end");
    check((await range(10, 1)) === "" && (await range(99, 1)) === "", "nothing beyond the end");
    check((await range(0, 0)) === "", "nothing for a length of 0");
    await fails(fs.readRange("/r", -1, 2), "EINVAL");
    await fails(fs.readRange("/none", 0, 1), "ENOENT");
  },
  "a content's hash is that of its bytes": async (fs, { passOver }) => {
    if (!fs.contentHash) return passOver?.("contentHash");
    const hashes: Readonly<Record<string, string>> = {
      abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    };
    await fs.symlink("f", "/l");
    for (const [content, hash] of Object.entries(hashes)) {
      await fs.writeFile("/f", content);
      check((await fs.contentHash("/f")) === hash, `the hash of ${JSON.stringify(content)}`);
      check((await fs.contentHash("/l")) === hash, "the same through a link");
    }
    await fs.mkdir("/d");
    await fails(fs.contentHash("/none"), "ENOENT");
    await fails(fs.contentHash("/d"), "EISDIR");
  },
  "reading says what is wrong": async (fs) => {
    await fs.mkdir("/d");
    await fs.writeFile("/f", "x");
    await fails(fs.readFile("/none"), "ENOENT");
    await fails(fs.readFile("/none/deep"), "ENOENT");
    await fails(fs.readFile("/d"), "EISDIR");
    await fails(fs.readFile("/f/below"), "ENOTDIR");
    await fails(fs.readdir("/f"), "ENOTDIR");
    await fails(fs.readdir("/none"), "ENOENT");
    await fails(fs.stat("/none"), "ENOENT");
    await fails(fs.lstat("/f/below"), "ENOTDIR");
  },
  "a refused write changes nothing": async (fs) => {
    await fs.writeFile("/f", "x");
    await fs.mkdir("/d");
    await fails(fs.writeFile("/d", "x"), "EISDIR");
    await fails(fs.writeFile("/f/new/deep", "x"), "ENOTDIR");
    await fails(fs.appendFile("/d", "x"), "EISDIR");
    check((await fs.readdir("/")).join() === "d,f", "the same two names");
    check((await fs.readFile("/f")) === "x", "the same text");
  },
  "writing creates missing parents": async (fs) => {
    await fs.writeFile("/a/b/c.txt", "x");
    check((await fs.stat("/a/b")).type === "directory", "a directory in between");
  },
  "permission bits are kept where they are offered": async (fs, { passOver }) => {
    if (!fs.chmod) return passOver?.("chmod");
    await fs.writeFile("/run", "x");
    await fs.chmod("/run", 0o755);
    check((await fs.stat("/run")).mode === 0o755, "0755");
    await fs.writeFile("/run", "y");
    check((await fs.stat("/run")).mode === 0o755, "a write to keep them");
    await fails(fs.chmod("/none", 0o644), "ENOENT");
    await fails(fs.chmod("/run", -1), "EINVAL");
  },
  "a large file is whole": async (fs) => {
    const bytes = new Uint8Array(3 * 1024 * 1024 + 5).map((_, index) => index % 251);
    await fs.writeFileBytes("/big", bytes);
    const read = await fs.readFileBytes("/big");
    check(read.length === bytes.length && read.every((byte, index) => byte === index % 251), "every byte");
  },
};

export const fileSystemCases: readonly ContractCase<FileSystemSubject>[] = Object.entries({
  ...CONTENT,
  ...fileSystemTreeCases,
  ...fileSystemPathCases,
  ...fileSystemNameCases,
  ...fileSystemSizeCases,
  ...fileSystemKeepCases,
}).map(([name, run]) => ({
  group: "FileSystem",
  name,
  run: async (make) => {
    await using subject = await make();
    await run(subject.fs, subject);
  },
}));
