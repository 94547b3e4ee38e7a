import { check } from "./check.ts";
import { fails, type FileSystemRun } from "./file-system-run.ts";

/** Names that a careless store takes for something else: a parent, a property of an object, an end of line. */
const ODD_NAMES = [
  "..a",
  "a..",
  ".hidden",
  "\t",
  "a\nb",
  "a\r",
  "%2e%2e",
  "hasOwnProperty",
  "toString",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\u202etxt.exe",
  "\u0131\u0130",
];

export const fileSystemNameCases: Readonly<Record<string, FileSystemRun>> = {
  "odd names are names of directories too": async (fs) => {
    for (const name of ODD_NAMES) await fs.writeFile(`/${name}/${name}`, name);
    check((await fs.readdir("/")).join("|") === ODD_NAMES.toSorted().join("|"), "every name");
    for (const name of ODD_NAMES) {
      check((await fs.readFile(`/${name}/${name}`)) === name, `the text below ${JSON.stringify(name)}`);
      check((await fs.readdir(`/${name}`)).join() === name, `only itself below ${JSON.stringify(name)}`);
    }
  },
  "no name is there before it is made": async (fs) => {
    for (const name of ["__proto__", "constructor", "toString", "length", "hasOwnProperty"]) {
      check(!(await fs.exists(`/${name}`)), `no ${name}`);
      await fails(fs.readFile(`/${name}`), "ENOENT");
      await fails(fs.rm(`/${name}/x`), "ENOENT");
    }
  },
  "a name has up to 255 bytes": async (fs) => {
    const longest = ["n".repeat(255), "\u65e5".repeat(85), "\u{1f600}".repeat(63)];
    for (const name of longest) await fs.writeFile(`/d/${name}`, name);
    check((await fs.readdir("/d")).join() === longest.toSorted().join(), "each as it was given");
    for (const name of longest) check((await fs.readFile(`/d/${name}`)) === name, "the text of each");
    for (const name of ["n".repeat(256), "\u65e5".repeat(86), "\u{1f600}".repeat(64)]) {
      await fails(fs.writeFile(`/d/${name}`, "x"), "EINVAL");
      await fails(fs.mkdir(`/d/${name}/deep`, { recursive: true }), "EINVAL");
      await fails(fs.symlink("x", `/d/${name}`), "EINVAL");
      await fails(fs.mv(`/d/${longest[0]}`, `/d/${name}`), "EINVAL");
      await fails(fs.cp(`/d/${longest[0]}`, `/d/${name}`), "EINVAL");
    }
    check((await fs.readdir("/d")).length === 3, "nothing more to be made");
  },
  "half a character is refused": async (fs) => {
    for (const name of ["\ud83d", "\ude00", "a\ud800b", "\ude00\ud83d"]) {
      await fails(fs.writeFile(`/${name}`, "x"), "EINVAL");
      await fails(fs.mkdir(`/${name}/d`, { recursive: true }), "EINVAL");
      check(!(await fs.exists(`/${name}`)), "exists not to throw");
    }
    check((await fs.readdir("/")).length === 0, "nothing to be made");
  },
  "composed and decomposed names stay two": async (fs) => {
    const [composed, decomposed] = ["\u00e9", "e\u0301"];
    await fs.writeFile(`/${composed}/f`, "composed");
    await fs.writeFile(`/${decomposed}/f`, "decomposed");
    await fs.cp(`/${composed}`, "/copy", { recursive: true });
    await fs.mv(`/${composed}/f`, `/${decomposed}/g`);
    check((await fs.readdir(`/${decomposed}`)).join() === "f,g", "both files in the one");
    await fs.rm(`/${composed}`, { recursive: true });
    check((await fs.readFile(`/${decomposed}/f`)) === "decomposed", "the other to stay");
    check((await fs.readdir("/")).join() === ["copy", decomposed].join(), "only its own name to go");
  },
  "names that differ in case are two": async (fs) => {
    await fs.writeFile("/Dir/File", "1");
    await fs.writeFile("/dir/file", "2");
    await fs.mv("/Dir/File", "/dir/File");
    check((await fs.readdir("/dir")).join() === "File,file", "both files");
    await fs.mv("/dir/file", "/dir/File");
    check((await fs.readdir("/dir")).join() === "File" && (await fs.readFile("/dir/File")) === "2", "one replaced");
    await fs.rm("/Dir");
    check((await fs.readdir("/")).join() === "dir", "the other directory to go alone");
    await fs.mv("/dir", "/DIR");
    check((await fs.readdir("/")).join() === "DIR" && (await fs.readFile("/DIR/File")) === "2", "a directory renamed");
  },
  "a deep path": async (fs) => {
    const deep = "/d".repeat(120);
    await fs.writeFile(`${deep}/f`, "x");
    check((await fs.readFile(`${deep}/f`)) === "x", "the file at its end");
    await fs.mv("/d/d", "/e");
    check((await fs.readFile(`/e${"/d".repeat(118)}/f`)) === "x", "it to be moved with its directory");
    await fs.rm("/e", { recursive: true });
    check((await fs.readdir("/d")).length === 0, "all of it to go");
  },
};
