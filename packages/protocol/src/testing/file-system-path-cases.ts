import { check } from "./check.ts";
import { fails, type FileSystemRun } from "./file-system-run.ts";

const LINKS: Readonly<Record<string, FileSystemRun>> = {
  "a link is followed, or looked at": async (fs) => {
    await fs.writeFile("/d/f", "x");
    await fs.symlink("d/f", "/l");
    await fs.symlink("/d", "/abs");
    check((await fs.readFile("/l")) === "x", "the target's text");
    check((await fs.readFile("/abs/f")) === "x", "a link in the middle to be followed");
    check((await fs.stat("/l")).type === "file" && (await fs.lstat("/l")).type === "symlink", "stat and lstat");
    check((await fs.lstat("/l")).size === 3, "the size of the target's text");
    check((await fs.readlink("/l")) === "d/f", "the target as given");
    check((await fs.realpath("/abs/f")) === "/d/f", "the real path");
    check((await fs.readdir("/abs")).join() === "f", "the directory's names");
    await fails(fs.readlink("/d/f"), "EINVAL");
    await fails(fs.symlink("x", "/l"), "EEXIST");
  },
  "writing goes through a link": async (fs) => {
    await fs.writeFile("/f", "x");
    await fs.symlink("f", "/l");
    await fs.writeFile("/l", "y");
    await fs.appendFile("/l", "z");
    check((await fs.readFile("/f")) === "yz", "the target to be written");
    check((await fs.lstat("/l")).type === "symlink", "the link to stay");
  },
  "a link to nothing": async (fs) => {
    await fs.symlink("nowhere", "/l");
    check(!(await fs.exists("/l")), "it not to exist");
    check((await fs.lstat("/l")).type === "symlink", "the link to be there");
    await fails(fs.readFile("/l"), "ENOENT");
    await fails(fs.realpath("/l"), "ENOENT");
    await fs.writeFile("/l", "now");
    check((await fs.readFile("/nowhere")) === "now", "writing to make the target");
  },
  "rm and mv take the link, not its target": async (fs) => {
    await fs.writeFile("/d/f", "x");
    await fs.symlink("d", "/l");
    await fs.mv("/l", "/m");
    check((await fs.readlink("/m")) === "d", "the link to be moved");
    await fs.rm("/m", { recursive: true });
    check((await fs.readFile("/d/f")) === "x", "the target to stay");
  },
  "links that go round end": async (fs) => {
    await fs.symlink("b", "/a");
    await fs.symlink("a", "/b");
    await fs.symlink(".", "/here");
    await fails(fs.readFile("/a"), "ELOOP");
    await fails(fs.stat("/a/x"), "ELOOP");
    await fails(fs.writeFile("/a", "x"), "ELOOP");
    check(!(await fs.exists("/a")), "exists not to throw");
    await fs.writeFile("/f", "x");
    check((await fs.readFile("/here/here/here/f")) === "x", "a link to its own directory to be fine");
  },
  "forty links in a row are followed, not one more": async (fs) => {
    await fs.writeFile("/0", "x");
    for (let index = 1; index <= 41; index++) await fs.symlink(`${index - 1}`, `/${index}`);
    check((await fs.readFile("/40")) === "x", "the file behind forty links");
    await fails(fs.readFile("/41"), "ELOOP");
  },
  "a link cannot leave the tree": async (fs) => {
    await fs.writeFile("/top", "x");
    await fs.symlink("../../../top", "/d");
    check((await fs.readFile("/d")) === "x", "the root to be the end");
    await fs.mkdir("/a/b", { recursive: true });
    await fs.writeFile("/a/c", "y");
    await fs.symlink("/a/b", "/l");
    await fs.symlink("l/../c", "/m");
    check((await fs.readFile("/m")) === "y", "`..` in a target to be walked from where the link leads");
  },
};

const PATHS: Readonly<Record<string, FileSystemRun>> = {
  "dots and doubled slashes are resolved": async (fs) => {
    await fs.writeFile("/a/b", "x");
    for (const path of ["/a/./b", "//a///b", "/a/../a/b", "/../../a/b", "/none/../a/b"]) {
      check((await fs.readFile(path)) === "x", `${path} to be /a/b`);
    }
    check((await fs.readdir("/a/")).join() === "b", "a final slash to be fine");
  },
  "paths that cannot be are refused": async (fs) => {
    for (const path of ["", "/a\0b", `/${"x".repeat(5000)}`]) {
      await fails(fs.writeFile(path, "x"), "EINVAL");
      await fails(fs.mkdir(path), "EINVAL");
      check(!(await fs.exists(path)), "exists not to throw");
    }
    await fails(fs.writeFile(`/${"x".repeat(256)}`, "x"), "EINVAL");
    await fails(fs.writeFile("/\ud800", "x"), "EINVAL");
    await fails(fs.writeFile("/", "x"), "EISDIR");
    check((await fs.readdir("/")).length === 0, "nothing to be made");
  },
  "names are compared byte for byte": async (fs) => {
    await fs.writeFile("/caf\u00e9", "composed");
    await fs.writeFile("/cafe\u0301", "decomposed");
    await fs.writeFile("/A", "upper");
    await fs.writeFile("/a", "lower");
    check((await fs.readdir("/")).length === 4, "four files");
    check((await fs.readFile("/cafe\u0301")) === "decomposed", "each with its own text");
  },
  "names that look like something else": async (fs) => {
    const names = ["...", " ", "-rf", "a b", "con", "a:b", "a\\b", "$HOME", "*", "__proto__", "constructor", "\n"];
    for (const name of names) await fs.writeFile(`/${name}`, name);
    check((await fs.readdir("/")).join("|") === names.toSorted().join("|"), "every name");
    for (const name of names) check((await fs.readFile(`/${name}`)) === name, `the text of ${name}`);
  },
  "the root stays": async (fs) => {
    await fails(fs.mv("/", "/x"), "EINVAL");
    await fails(fs.mkdir("/"), "EEXIST");
    await fails(fs.symlink("x", "/"), "EEXIST");
  },
  "resolvePath is text": async (fs) => {
    check(fs.resolvePath("/a/b", "../c") === "/a/c", "/a/c");
    check(fs.resolvePath("/a", "/b/./c/") === "/b/c", "an absolute path to win");
    check(fs.resolvePath("/a", "../../..") === "/", "the root to be the end");
  },
  "glob finds paths": async (fs) => {
    for (const path of ["/a.ts", "/src/b.ts", "/src/deep/c.ts", "/src/d.js", "/.hidden/e.ts"]) {
      await fs.writeFile(path, "");
    }
    const glob = async (pattern: string): Promise<string> => (await fs.glob(pattern)).join();
    check((await glob("/**/*.ts")) === "/.hidden/e.ts,/a.ts,/src/b.ts,/src/deep/c.ts", "every .ts file");
    check((await glob("/src/*.ts")) === "/src/b.ts", "one level only");
    check((await glob("/src/*.{ts,js}")) === "/src/b.ts,/src/d.js", "alternatives");
    check((await glob("/a.ts")) === "/a.ts", "a path without wildcards");
    check((await glob("/none/*")) === "", "nothing");
  },
};

export const fileSystemPathCases: Readonly<Record<string, FileSystemRun>> = { ...LINKS, ...PATHS };
