import { check } from "./check.ts";
import { fails, type FileSystemRun } from "./file-system-run.ts";

const DIRECTORIES: Readonly<Record<string, FileSystemRun>> = {
  "the root is a directory": async (fs) => {
    check((await fs.stat("/")).type === "directory", "a directory");
    check((await fs.readdir("/")).length === 0, "no names in it");
    check(await fs.exists("/"), "it to exist");
  },
  "mkdir makes one, or with recursive all": async (fs) => {
    await fs.mkdir("/a");
    check((await fs.stat("/a")).type === "directory", "a directory");
    check((await fs.readdir("/a")).length === 0, "it to be empty");
    await fails(fs.mkdir("/a"), "EEXIST");
    await fails(fs.mkdir("/x/y"), "ENOENT");
    await fs.mkdir("/x/y/z", { recursive: true });
    await fs.mkdir("/x/y/z", { recursive: true });
    await fs.writeFile("/f", "");
    await fails(fs.mkdir("/f"), "EEXIST");
    await fails(fs.mkdir("/f", { recursive: true }), "EEXIST");
    await fails(fs.mkdir("/f/g", { recursive: true }), "ENOTDIR");
  },
  "names are sorted by code units, with their types": async (fs) => {
    for (const name of ["b", "a", "B", "_", "é", "10", "9", "\u{1f600}", "\uff5e"]) await fs.writeFile(`/${name}`, "");
    await fs.mkdir("/dir");
    await fs.symlink("a", "/link");
    const names = await fs.readdir("/");
    check(names.join() === names.toSorted().join() && names.length === 11, "eleven sorted names");
    const types = new Map((await fs.readdirWithFileTypes("/")).map(({ name, type }) => [name, type]));
    check(types.get("dir") === "directory" && types.get("link") === "symlink" && types.get("a") === "file", "types");
  },
  "a directory with many files": async (fs) => {
    for (let index = 0; index < 300; index++) await fs.writeFile(`/many/${index}.txt`, `${index}`);
    check((await fs.readdir("/many")).length === 300, "300 names");
    check((await fs.readFile("/many/299.txt")) === "299", "the content of each");
    for (let index = 0; index < 290; index++) await fs.rm(`/many/${index}.txt`);
    check(
      (await fs.readdir("/many")).join() === Array.from({ length: 10 }, (_, i) => `${290 + i}.txt`).join(),
      "ten left",
    );
  },
  "rm removes what it may": async (fs) => {
    await fs.writeFile("/d/f", "");
    await fails(fs.rm("/none"), "ENOENT");
    await fs.rm("/none", { force: true });
    await fails(fs.rm("/d"), "ENOTEMPTY");
    await fails(fs.rm("/d", { force: true }), "ENOTEMPTY");
    await fs.rm("/d/f");
    check(await fs.exists("/d"), "the empty directory to stay");
    await fs.rm("/d");
    check(!(await fs.exists("/d")), "the empty directory to go");
    await fs.writeFile("/e/f/g", "");
    await fs.rm("/e", { recursive: true });
    check((await fs.readdir("/")).length === 0, "nothing left");
  },
  "what was removed can be made again": async (fs) => {
    await fs.writeFile("/d/old", "x");
    await fs.rm("/d", { recursive: true });
    await fs.mkdir("/d");
    check((await fs.readdir("/d")).length === 0, "nothing of the old one");
    await fs.rm("/d");
    await fs.writeFile("/d", "a file now");
    check((await fs.readFile("/d")) === "a file now", "a file");
  },
};

const MOVES: Readonly<Record<string, FileSystemRun>> = {
  "mv moves a file, replacing one": async (fs) => {
    await fs.writeFile("/a", "a");
    await fs.writeFile("/b", "b");
    await fs.mv("/a", "/b");
    check((await fs.readFile("/b")) === "a" && !(await fs.exists("/a")), "a in the place of b");
    await fs.mv("/b", "/new/deep/c");
    check((await fs.readFile("/new/deep/c")) === "a", "missing parents to be made");
  },
  "mv moves a directory with all in it": async (fs) => {
    await fs.writeFile("/d/x/f", "1");
    await fs.mkdir("/d/empty");
    await fs.mv("/d", "/e");
    check((await fs.readFile("/e/x/f")) === "1", "the file");
    check((await fs.readdir("/e")).join() === "empty,x", "the empty directory too");
    check(!(await fs.exists("/d")), "nothing at the old place");
  },
  "mv changes only the case of a name": async (fs) => {
    await fs.writeFile("/Readme.md", "x");
    await fs.mv("/Readme.md", "/README.md");
    check((await fs.readdir("/")).join() === "README.md", "the new name only");
  },
  "mv onto itself changes nothing": async (fs) => {
    await fs.writeFile("/a", "x");
    await fs.mv("/a", "/a");
    check((await fs.readFile("/a")) === "x", "the file to be there");
  },
  "mv refuses what would lose or loop": async (fs) => {
    await fs.writeFile("/d/f", "x");
    await fs.writeFile("/a", "a");
    await fails(fs.mv("/none", "/x"), "ENOENT");
    await fails(fs.mv("/a", "/d"), "EISDIR");
    await fails(fs.mv("/d", "/d/inside"), "EINVAL");
    await fails(fs.mv("/a", "/a/inside"), "EINVAL", "ENOTDIR");
    await fails(fs.mv("/a", "/d/f/below"), "ENOTDIR");
    check((await fs.readFile("/d/f")) === "x" && (await fs.readFile("/a")) === "a", "both files as they were");
  },
  "cp copies a file": async (fs) => {
    await fs.writeFile("/a", "a");
    await fs.cp("/a", "/x/b");
    await fs.writeFile("/a", "changed");
    check((await fs.readFile("/x/b")) === "a", "the copy to be its own");
    await fails(fs.cp("/none", "/x/c"), "ENOENT");
    await fs.mkdir("/d");
    await fails(fs.cp("/a", "/d"), "EISDIR");
  },
  "cp copies a directory with recursive, links as links": async (fs) => {
    await fs.writeFile("/d/f", "1");
    await fs.symlink("f", "/d/l");
    await fails(fs.cp("/d", "/e"), "EISDIR");
    await fs.cp("/d", "/e", { recursive: true });
    await fs.writeFile("/d/f", "2");
    check((await fs.readFile("/e/f")) === "1", "the copy to be its own");
    check((await fs.readlink("/e/l")) === "f", "a link");
    await fails(fs.cp("/d", "/d/inside", { recursive: true }), "EINVAL");
  },
};

export const fileSystemTreeCases: Readonly<Record<string, FileSystemRun>> = { ...DIRECTORIES, ...MOVES };
