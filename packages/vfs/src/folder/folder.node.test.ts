import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ArchiveEntry } from "../archive/archive-entry.ts";
import { exportEntries } from "../archive/export-entries.ts";
import { importEntries } from "../archive/import-entries.ts";
import { unpackTar } from "../archive/tar.ts";
import { file, link } from "../archive/with-entries.ts";
import { entriesArbitrary, importedTree, treeOf } from "../archive/with-trees.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { readFolder, type ReadFolderOptions } from "./read-folder.ts";
import { writeFolder } from "./write-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenrec-folder-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function read(path: string, options?: ReadFolderOptions): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for await (const entry of readFolder(path, options)) entries.push(entry);
  return entries;
}

// A folder of this machine refuses links that lead out, its umask narrows modes, and `.gitignore` has a meaning in it.
function isForFolders({ kind, mode, path }: ArchiveEntry): boolean {
  const modes = kind === "file" ? [0o600, 0o644, 0o755] : [0o755];
  return kind !== "symlink" && modes.includes(mode) && !path.includes(".gitignore");
}

describe("readFolder", () => {
  test("leaves out what .gitignore excludes at every level, and .git always", async () => {
    await put({
      ".gitignore": "node_modules/\n*.log\n!.git\n",
      ".git/config": "x",
      "node_modules/a/b.js": "x",
      "a.log": "x",
      "src/.gitignore": "!keep.log\n/local\n",
      "src/keep.log": "x",
      "src/local": "x",
      "src/sub/local": "x",
      "src/sub/.git/config": "x",
      ".env": "x",
    });
    await mkdir(join(folder, "empty"));
    const entries = await read(folder);
    expect(entries.map(({ path }) => path)).toEqual([
      "/.env",
      "/.gitignore",
      "/empty",
      "/src",
      "/src/.gitignore",
      "/src/keep.log",
      "/src/sub",
      "/src/sub/local",
    ]);
  });

  test("keeps links as links, modes and bytes", async () => {
    await put({ run: "#!\u0000\n" });
    await chmod(join(folder, "run"), 0o750);
    await symlink("/etc/passwd", join(folder, "out"));
    await symlink(".", join(folder, "loop"));
    expect(await read(folder)).toMatchObject([
      { path: "/loop", kind: "symlink", target: "." },
      { path: "/out", kind: "symlink", target: "/etc/passwd" },
      { path: "/run", kind: "file", mode: 0o750 },
    ]);
  });

  test("limits and a missing folder are typed", async () => {
    await put({ a: "12345", b: "12345" });
    const readWith = (limits: object) => read(folder, { limits });
    await expect(readWith({ maxFileBytes: 4 })).rejects.toMatchObject({ code: "EFBIG" });
    await expect(readWith({ maxBytes: 9 })).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(readWith({ maxEntries: 1 })).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(read(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("writeFolder", () => {
  test("writes what was read", async () => {
    const target = join(folder, "out");
    await put({ "in/src/a": "a", "in/run": "x" });
    await chmod(join(folder, "in/run"), 0o755);
    await symlink("../run", join(folder, "in/src/l"));
    await mkdir(join(folder, "in/empty"));
    await writeFolder(target, readFolder(join(folder, "in")));
    expect(await readFile(join(target, "src/a"), "utf8")).toBe("a");
    expect(await readlink(join(target, "src/l"))).toBe("../run");
    expect((await lstat(join(target, "run"))).mode & 0o777).toBe(0o755);
    expect(await readdir(join(target, "empty"))).toEqual([]);
  });

  test("writes large files in pieces, and leaves none that ends early", async () => {
    const bytes = new Uint8Array(3_000_000).map((_, index) => index % 241);
    await mkdir(join(folder, "in"));
    await writeFile(join(folder, "in/large"), bytes);
    const target = join(folder, "out");
    const entries = await read(join(folder, "in"));
    expect(entries[0]).toMatchObject({ size: 3_000_000, content: { [Symbol.asyncIterator]: expect.any(Function) } });
    await writeFolder(target, entries);
    expect(new Uint8Array(await readFile(join(target, "large")))).toEqual(bytes);
    const cut = { path: "/cut", kind: "file", mode: 0o644, size: 9, content: new Uint8Array(5) } as const;
    await expect(writeFolder(target, [cut])).rejects.toMatchObject({ code: "EIO" });
    expect(await readdir(target)).toEqual(["large"]);
    // Nor does it take what was there with it.
    await expect(writeFolder(target, [{ ...cut, path: "/large" }])).rejects.toMatchObject({ code: "EIO" });
    expect(new Uint8Array(await readFile(join(target, "large")))).toEqual(bytes);
    expect(await readdir(target)).toEqual(["large"]);
  });

  test("no file gets to run as its owner", async () => {
    const target = join(folder, "out");
    await writeFolder(target, [file("/run", "x", 0o4755), { path: "/d", kind: "directory", mode: 0o2755 }]);
    for (const name of ["run", "d"]) expect((await lstat(join(target, name))).mode & 0o6000).toBe(0);
  });

  // Other systems have no such names.
  test.skipIf(process.platform !== "linux")("a name that is not UTF-8 is told", async () => {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), "x");
    await expect(read(folder)).rejects.toMatchObject({ code: "EINVAL", data: { path: "/a\ufffd" } });
    await put({ ".gitignore": "a?\n", "b\ufffd": "x" });
    expect((await read(folder)).map(({ path }) => path)).toEqual(["/.gitignore", "/b\ufffd"]);
  });

  test("a large file that is cut while it is read is EIO", async () => {
    await put({ large: "x".repeat(2_000_000) });
    for await (const entry of readFolder(folder)) {
      await writeFile(join(folder, "large"), "short");
      await expect(writeFolder(join(folder, "out"), [entry])).rejects.toMatchObject({ code: "EIO" });
    }
  });

  test("any tree goes into a folder and comes back the same", async () => {
    await fc.assert(
      fc.asyncProperty(entriesArbitrary, (entries) =>
        withStorage(async (storage) => {
          const [store, tree] = await treeOf(storage, entries.filter(isForFolders));
          const target = await mkdtemp(join(folder, "tree-"));
          await writeFolder(target, exportEntries(store.overlay(tree)));
          expect(store.manifest(await importedTree(store, readFolder(target)))).toEqual(store.manifest(tree));
        }),
      ),
      { numRuns: 40 },
    );
  }, 60_000);

  test("replaces a link instead of writing through it", async () => {
    await put({ outside: "safe" });
    const target = join(folder, "out");
    await mkdir(target);
    await symlink("../outside", join(target, "f"));
    await writeFolder(target, [file("/f", "new")]);
    expect(await readFile(join(folder, "outside"), "utf8")).toBe("safe");
    expect(await readFile(join(target, "f"), "utf8")).toBe("new");
  });

  test.each<[string, ArchiveEntry[]]>([
    ["leads out", [file("/../x", "")]],
    ["leads out as a doubled slash", [file("//etc/x", "")]],
    ["is in .git", [file("/.git/hooks/pre-commit", "")]],
    ["is in .git for some systems", [file("/sub/.Git/config", "")]],
    ["leads through a link", [link("/l", "d"), file("/l/x", "")]],
    ["leads through a file", [file("/f", ""), file("/f/x", "")]],
    ["is an absolute link", [link("/l", "/etc")]],
    ["is a link that leads out", [link("/d/l", "../../x")]],
    ["is a link that leads out through another", [link("/d", "."), link("/l", "d/d/../../x")]],
    ["is a link that leads out in the Windows way", [link("/l", "..\\x")]],
  ])("an entry that %s is refused", async (_, entries) => {
    const target = join(folder, "out");
    await expect(writeFolder(target, entries)).rejects.toMatchObject({ code: "EACCES" });
    expect(await readdir(folder)).toEqual(["out"]);
  });

  test("a folder in the place of a file is refused, and the other way round", async () => {
    await put({ "d/x": "", f: "" });
    await expect(writeFolder(folder, [file("/d", "")])).rejects.toMatchObject({ code: "EISDIR" });
    await expect(writeFolder(folder, [{ path: "/f", kind: "directory", mode: 0o755 }])).rejects.toMatchObject({
      code: "ENOTDIR",
    });
  });
});

test.each(["gnu", "pax", "ustar"])("an archive of the system's tar in format %s is read", (format) =>
  withStorage(async (storage) => {
    const long = `${"d".repeat(60)}/${"e".repeat(60)}/${"f".repeat(format === "ustar" ? 60 : 120)}`;
    await put({ "in/a": "text", [`in/${long}`]: "long" });
    await symlink("a", join(folder, "in/l"));
    const tar = execFileSync("tar", ["-c", `--format=${format}`, "-C", join(folder, "in"), "."]);
    const overlay = new TreeStore(storage).overlay(new TreeStore(storage).emptyTree);
    await importEntries(overlay, unpackTar(new Response(new Uint8Array(tar)).body as ReadableStream<Uint8Array>));
    expect(await overlay.readFile(`/${long}`)).toBe("long");
    expect(await overlay.readlink("/l")).toBe("a");
  }),
);
