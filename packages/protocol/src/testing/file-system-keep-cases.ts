import { check } from "./check.ts";
import { fails, type FileSystemRun } from "./file-system-run.ts";

const MODES: Readonly<Record<string, FileSystemRun>> = {
  "permission bits go with a file": async (fs, { passOver }) => {
    if (!fs.chmod) return passOver?.("chmod");
    await fs.writeFile("/run", "x");
    await fs.chmod("/run", 0o750);
    await fs.cp("/run", "/copy");
    await fs.mv("/run", "/moved");
    await fs.writeFileBytes("/moved", Uint8Array.of(1));
    await fs.appendFile("/moved", "more");
    check((await fs.stat("/copy")).mode === 0o750, "0750 on a copy");
    check((await fs.stat("/moved")).mode === 0o750, "0750 after a move, a write and an append");
    await fs.writeFile("/plain", "");
    check((await fs.stat("/plain")).mode === 0o644, "0644 on a new file");
    await fs.mv("/moved", "/plain");
    check((await fs.stat("/plain")).mode === 0o750, "0750 in the place of another file");
    await fs.rm("/plain");
    await fs.writeFile("/plain", "");
    check((await fs.stat("/plain")).mode === 0o644, "nothing to be left of a removed file");
  },
  "permission bits of directories, and through links": async (fs, { passOver }) => {
    if (!fs.chmod) return passOver?.("chmod");
    await fs.writeFile("/d/f", "x");
    await fs.chmod("/d", 0o700);
    await fs.chmod("/d/f", 0o600);
    await fs.symlink("d/f", "/l");
    await fs.chmod("/l", 0o640);
    check((await fs.lstat("/d/f")).mode === 0o640, "the target of a link to be changed");
    await fs.writeFile("/d/g", "y");
    check((await fs.stat("/d")).mode === 0o700, "a new file in it not to change a directory's bits");
    await fs.mv("/d", "/e");
    check((await fs.stat("/e")).mode === 0o700 && (await fs.stat("/e/f")).mode === 0o640, "all bits after a move");
    await fs.cp("/e", "/c", { recursive: true });
    check((await fs.stat("/c/f")).mode === 0o640, "a file's bits in a copied directory");
  },
};

const EMPTY: Readonly<Record<string, FileSystemRun>> = {
  "empty directories are kept": async (fs) => {
    await fs.mkdir("/a/b/c", { recursive: true });
    await fs.mkdir("/x");
    await fs.cp("/a", "/copy", { recursive: true });
    await fs.mv("/a", "/moved");
    for (const path of ["/copy/b/c", "/moved/b/c", "/x"]) {
      check((await fs.stat(path)).type === "directory", `${path} to be a directory`);
      check((await fs.readdir(path)).length === 0, `nothing in ${path}`);
    }
    await fs.writeFile("/x/f", "");
    await fs.rm("/x/f");
    check((await fs.readdirWithFileTypes("/")).map(({ name }) => name).join() === "copy,moved,x", "x to stay");
  },
  "mv does not put a directory over anything": async (fs) => {
    await fs.mkdir("/from");
    await fs.mkdir("/empty");
    await fs.writeFile("/file", "x");
    await fails(fs.mv("/from", "/empty"), "EISDIR");
    await fails(fs.mv("/from", "/file"), "ENOTDIR");
    await fails(fs.mv("/from", "/from/deep/inside"), "EINVAL");
    await fs.mv("/from", "/from");
    check((await fs.readdir("/")).join() === "empty,file,from", "all three to stay");
    check((await fs.readdir("/from")).length === 0, "nothing to be made inside");
  },
};

const LINKS: Readonly<Record<string, FileSystemRun>> = {
  "a link that leads nowhere is a link": async (fs) => {
    await fs.symlink("nowhere/at/all", "/l");
    await fails(fs.stat("/l"), "ENOENT");
    await fails(fs.readdir("/l"), "ENOENT");
    await fails(fs.mkdir("/l"), "EEXIST");
    await fs.cp("/l", "/copy");
    await fs.mv("/l", "/d/moved");
    check((await fs.readlink("/copy")) === "nowhere/at/all", "a copy to lead to the same place");
    check((await fs.readlink("/d/moved")) === "nowhere/at/all", "it to be moved as it is");
    await fs.rm("/copy");
    check((await fs.readdir("/")).join() === "d", "it to be removed");
  },
  "mv puts a file in the place of a link": async (fs) => {
    await fs.writeFile("/target", "old");
    await fs.symlink("target", "/l");
    await fs.writeFile("/f", "new");
    await fs.mv("/f", "/l");
    check((await fs.lstat("/l")).type === "file" && (await fs.readFile("/l")) === "new", "the file where the link was");
    check((await fs.readFile("/target")) === "old", "the target not to be written");
  },
  "links out of the root stay inside": async (fs) => {
    await fs.writeFile("/etc/passwd", "ours");
    await fs.mkdir("/deep/er", { recursive: true });
    const targets = ["/etc/passwd", "../../../../etc/passwd", "/../../etc/passwd", "/./etc//passwd"];
    for (const [index, target] of targets.entries()) {
      await fs.symlink(target, `/deep/er/${index}`);
      check((await fs.readFile(`/deep/er/${index}`)) === "ours", `${target} to be our own`);
      check((await fs.realpath(`/deep/er/${index}`)) === "/etc/passwd", `the real path of ${target}`);
      check((await fs.readlink(`/deep/er/${index}`)) === target, `${target} as it was given`);
    }
    await fs.symlink("/", "/deep/root");
    check((await fs.readdir("/deep/root/deep/root")).join() === "deep,etc", "a link to the root");
    await fs.writeFile("/deep/root/new", "x");
    check((await fs.readFile("/new")) === "x", "writing through it to write in the tree");
  },
  "circles of links end, wherever they are": async (fs) => {
    await fs.symlink("self", "/self");
    await fs.symlink("y/z", "/x");
    await fs.symlink("x", "/y");
    for (const path of ["/self", "/x", "/y", "/self/below", "/x/../f"]) {
      if (path !== "/x/../f") await fails(fs.readFile(path), "ELOOP");
      check(!(await fs.exists(path)), `${path} not to exist`);
    }
    await fails(fs.readdir("/self"), "ELOOP");
    await fails(fs.realpath("/x"), "ELOOP");
    await fails(fs.appendFile("/y", "x"), "ELOOP");
    await fails(fs.mkdir("/self/below", { recursive: true }), "ELOOP");
    check((await fs.lstat("/self")).type === "symlink", "the link itself to be looked at");
    await fs.rm("/self");
    check((await fs.readdir("/")).join() === "x,y", "it to be removed");
  },
  "glob, cp and rm do not go round": async (fs) => {
    await fs.writeFile("/d/f", "x");
    await fs.symlink(".", "/d/here");
    await fs.symlink("/", "/d/root");
    check((await fs.glob("/**")).toSorted().join() === "/d,/d/f,/d/here,/d/root", "each path once");
    await fs.cp("/d", "/e", { recursive: true });
    check((await fs.readdir("/e")).join() === "f,here,root", "the links to be copied as links");
    await fs.rm("/d", { recursive: true });
    check((await fs.readFile("/e/f")) === "x", "what a link leads to not to be removed");
  },
};

export const fileSystemKeepCases: Readonly<Record<string, FileSystemRun>> = { ...MODES, ...EMPTY, ...LINKS };
