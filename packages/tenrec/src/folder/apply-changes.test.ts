import { chmod, link, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ArchiveEntry, packTar, readFolder } from "@tenrec/vfs/folder";
import { describe, expect, test } from "vitest";
import { type ApplyReport, applyChanges } from "./apply-changes.ts";
import { baseOf } from "./base.ts";
import { entriesOf, file, readTree, type Tree, withFolder, writeTree } from "./with-folder.ts";

/** "created a", "refused b: reason". */
function linesOf({ files }: ApplyReport): string[] {
  return files.map((f) => `${f.status} ${f.path.slice(1)}${f.status === "refused" ? `: ${f.reason}` : ""}`);
}

interface Case {
  base: Tree;
  session: Tree;
  /** Default: as it was imported. */
  disk?: Tree;
  lines: string[];
  /** Default: the session's tree. */
  after?: Tree;
}

async function apply(folder: string, { base, session, disk }: Pick<Case, "base" | "session" | "disk">) {
  await writeTree(folder, disk ?? base);
  const imported = await baseOf(entriesOf(base));
  return () => applyChanges({ dir: folder, base: imported, entries: entriesOf(session) });
}

const BINARY = "\0\x01\xff\r\n\x80";

const CLEAN: Record<string, Case> = {
  "nothing changed": { base: { a: "1", d: null }, session: { a: "1", d: null }, lines: [] },
  "created with its parents": { base: {}, session: { "a/b/c": "1" }, lines: ["created a/b/c"] },
  "created executable": { base: {}, session: { a: file("1", 0o755) }, lines: ["created a"] },
  "created empty folder": { base: {}, session: { "a/b": null }, lines: ["created a/b"] },
  modified: { base: { a: "1", b: "x" }, session: { a: "2", b: "x" }, lines: ["modified a"] },
  "modified binary": { base: { a: BINARY }, session: { a: `${BINARY}\0` }, lines: ["modified a"] },
  "modified, mode kept": { base: { a: file("1", 0o750) }, session: { a: file("2", 0o750) }, lines: ["modified a"] },
  "mode alone": { base: { a: "1" }, session: { a: file("1", 0o755) }, lines: ["modified a"] },
  "mode beyond the umask": { base: { a: "1" }, session: { a: file("2", 0o666) }, lines: ["modified a"] },
  "deleted, and the folder that it emptied": {
    base: { "a/b/c": "1", "a/d": "2" },
    session: { "a/d": "2" },
    lines: ["deleted a/b/c"],
  },
  "deleted, the folder kept by the session": { base: { "a/b": "1" }, session: { a: null }, lines: ["deleted a/b"] },
  "moved to another name of the same letters": {
    base: { "Read.me": "1" },
    session: { "read.me": "1" },
    lines: ["deleted Read.me", "created read.me"],
  },
  "a new link": { base: { a: "1" }, session: { a: "1", "d/l": { to: "../a" } }, lines: ["created d/l"] },
  "a link to elsewhere": { base: { l: { to: "a" } }, session: { l: { to: "b" } }, lines: ["modified l"] },
  "a file becomes a link": { base: { a: "1", b: "" }, session: { a: { to: "b" }, b: "" }, lines: ["modified a"] },
  "a link becomes a file": { base: { a: { to: "b" }, b: "" }, session: { a: "1", b: "" }, lines: ["modified a"] },
  "a file becomes a folder": {
    base: { a: "1" },
    session: { "a/b": "1" },
    lines: ["deleted a", "created a/b"],
  },
  "a file becomes an empty folder": { base: { a: "1" }, session: { a: null }, lines: ["modified a"] },
  "a folder becomes a file": {
    base: { "a/b/c": "1", "a/d": null },
    session: { a: "1" },
    lines: ["created a", "deleted a/b/c"],
  },
  "a link to a folder becomes a folder": {
    base: { a: { to: "d" }, "d/x": "1" },
    session: { "a/x": "2", "d/x": "1" },
    lines: ["deleted a", "created a/x"],
  },
  "what is untouched may be a link that leads out": {
    base: { l: { to: "/etc/passwd" }, a: "" },
    session: { l: { to: "/etc/passwd" }, a: "1" },
    lines: ["modified a"],
  },
};

const CONFLICTS: Record<string, Case> = {
  "changed on disk": {
    base: { a: "1", b: "1" },
    disk: { a: "mine", b: "1" },
    session: { a: "2", b: "2" },
    lines: ["refused a: it was changed on disk since the import", "modified b"],
    after: { a: "mine", b: "2" },
  },
  "changed on disk to the same": { base: { a: "1" }, disk: { a: "2" }, session: { a: "2" }, lines: ["unchanged a"] },
  "changed on disk, not by the session": {
    base: { a: "1", b: "1" },
    disk: { a: "mine", b: "1" },
    session: { a: "1", b: "2" },
    lines: ["modified b"],
    after: { a: "mine", b: "2" },
  },
  "another length of time, the same size": {
    base: { a: "11" },
    disk: { a: "12" },
    session: { a: "13" },
    lines: ["refused a: it was changed on disk since the import"],
    after: { a: "12" },
  },
  "mode changed on disk": {
    base: { a: "1" },
    disk: { a: file("1", 0o600) },
    session: { a: "2" },
    lines: ["refused a: its mode was changed on disk since the import"],
    after: { a: file("1", 0o600) },
  },
  "became a link on disk": {
    base: { a: "1" },
    disk: { a: { to: "b" }, b: "1" },
    session: { a: "2" },
    lines: ["refused a: it became a link on disk since the import"],
    after: { a: { to: "b" }, b: "1" },
  },
  "became a folder on disk": {
    base: { a: "1" },
    disk: { "a/x": "mine" },
    session: { a: "2" },
    lines: ["refused a: it became a folder on disk since the import"],
    after: { "a/x": "mine" },
  },
  "appeared on disk": {
    base: {},
    disk: { a: "mine" },
    session: { a: "2" },
    lines: ["refused a: it is on disk too, and was not imported"],
    after: { a: "mine" },
  },
  "appeared on disk the same": { base: {}, disk: { a: "2" }, session: { a: "2" }, lines: ["unchanged a"] },
  "appeared on disk, not executable": {
    base: {},
    disk: { a: "2" },
    session: { a: file("2", 0o755) },
    lines: ["refused a: it is on disk too, and was not imported"],
    after: { a: "2" },
  },
  "appeared on disk as a folder": {
    base: {},
    disk: { "a/x": "mine" },
    session: { a: "2" },
    lines: ["refused a: there is a folder on disk in its place, with other files in it"],
    after: { "a/x": "mine" },
  },
  "vanished from disk": {
    base: { a: "1", b: "1" },
    disk: { b: "1" },
    session: { a: "2", b: "1" },
    lines: ["refused a: it was deleted on disk since the import"],
    after: { b: "1" },
  },
  "vanished with its folder": {
    base: { "d/a": "1" },
    disk: {},
    session: { "d/a": "2", "d/new": "1" },
    lines: ["refused d/a: it was deleted on disk since the import", "created d/new"],
    after: { "d/new": "1" },
  },
  "deleted by both": { base: { "d/a": "1" }, disk: {}, session: {}, lines: ["unchanged d/a"] },
  "deleted by the session, changed on disk": {
    base: { "d/a": "1", "d/b": "1" },
    disk: { "d/a": "mine", "d/b": "1" },
    session: {},
    lines: ["refused d/a: it was changed on disk since the import", "deleted d/b"],
    after: { "d/a": "mine" },
  },
  "the folder of a deleted file has others": {
    base: { "d/a": "1" },
    disk: { "d/a": "1", "d/ignored": "mine" },
    session: {},
    lines: ["deleted d/a"],
    after: { "d/ignored": "mine" },
  },
  "parent became a file": {
    base: { "d/a": "1", "d/gone": "1" },
    disk: { d: "mine" },
    session: { "d/a": "2", "d/new": "1" },
    lines: ["a", "gone", "new"].map((name) => `refused d/${name}: /d is a file on disk, not a folder`),
    after: { d: "mine" },
  },
  "parent became a link": {
    base: { "d/a": "1", "e/a": "1" },
    disk: { d: { to: "e" }, "e/a": "1" },
    session: { "d/a": "2", "d/new": "1", "e/a": "1" },
    lines: ["a", "new"].map((name) => `refused d/${name}: /d is a link on disk, not a folder`),
    after: { d: { to: "e" }, "e/a": "1" },
  },
  "a file that becomes a folder was changed on disk": {
    base: { a: "1" },
    disk: { a: "mine" },
    session: { "a/b": "1" },
    lines: ["refused a: it was changed on disk since the import", "refused a/b: /a is a file on disk, not a folder"],
    after: { a: "mine" },
  },
  "a folder that becomes a file has others in it": {
    base: { "a/b": "1" },
    disk: { "a/b": "1", "a/ignored": "mine" },
    session: { a: "2" },
    lines: ["refused a: there is a folder on disk in its place, with other files in it", "deleted a/b"],
    after: { "a/ignored": "mine" },
  },
};

describe.each([
  ["only the session changed", CLEAN],
  ["the disk changed too", CONFLICTS],
])("%s", (_, cases) => {
  test.each(Object.entries(cases))("%s", (__, { lines, after, ...trees }) =>
    withFolder(async (folder) => {
      const run = await apply(folder, trees);
      expect(linesOf(await run())).toEqual(lines);
      const tree = await readTree(folder);
      expect(tree).toEqual(after ?? trees.session);
      // Again: what was done is unchanged, what was refused is refused, and the disk stays.
      const again = lines.map((line) => (line.startsWith("refused ") ? line : line.replace(/^\w+/, "unchanged")));
      expect(linesOf(await run())).toEqual(again);
      expect(await readTree(folder)).toEqual(tree);
    }),
  );
});

describe("paths and links that lead out", () => {
  const content = new Uint8Array();
  test.each([
    ["/../x", "it leads out of the folder"],
    ["/a/../../x", "it leads out of the folder"],
    ["//etc/x", "it is no path of the session's tree"],
    ["etc/x", "it is no path of the session's tree"],
    ["/a/./x", "it is no path of the session's tree"],
    ["/", "it is no path of the session's tree"],
    ["/.git/hooks/pre-commit", "it is in `.git`"],
    ["/sub/.GIT/config", "it is in `.git`"],
    ["/.g\u200cit/x", "it is in `.git`"],
    ["/git~1/x", "it is in `.git`"],
    ["/a\0b", "no file can have this name"],
  ])("%j is refused, the rest is applied", (path, reason) =>
    withFolder(async (folder) => {
      const entries: ArchiveEntry[] = [
        { path, kind: "file", mode: 0o644, size: 0, content },
        { path: "/ok", kind: "file", mode: 0o644, size: 0, content },
      ];
      const { files } = await applyChanges({ dir: folder, base: { entries: {} }, entries });
      expect(files).toContainEqual({ path, status: "refused", reason });
      expect(await readTree(folder)).toEqual({ ok: "" });
    }),
  );

  test.each(["/etc", "..", "../x", "d/../../x", "..\\x", "C:\\x", "out", "out/x", "dangling/x"])(
    "a link to %j is refused",
    (to) =>
      withFolder(async (folder) => {
        const base = { out: { to: "/etc" }, dangling: { to: "/none/at/all" }, "d/x": "" };
        const run = await apply(folder, { base, session: { ...base, l: { to }, new: "" } });
        const reason = "it is a link that leads out of the folder";
        expect(linesOf(await run())).toEqual([`refused l: ${reason}`, "created new"]);
        expect(await readTree(folder)).toEqual({ ...base, new: "" });
      }),
  );

  test("nothing is written, read or deleted through a link, whatever the base says", () =>
    withFolder(async (folder) => {
      await writeTree(folder, { "outside/a": "1", "outside/b": "1" });
      const dir = join(folder, "in");
      await mkdir(dir);
      await symlink("../outside", join(dir, "d"));
      const base = await baseOf(entriesOf({ "d/a": "1", "d/b": "1" }));
      const report = await applyChanges({ dir, base, entries: entriesOf({ "d/a": "2", "d/c": "2" }) });
      expect(report.files.map(({ status }) => status)).toEqual(["refused", "refused", "refused"]);
      expect(await readTree(join(folder, "outside"))).toEqual({ a: "1", b: "1" });
    }));

  test("a base that was tampered with deletes nothing outside", () =>
    withFolder(async (folder) => {
      await writeTree(folder, { outside: "1", "in/a": "" });
      const entry = (await baseOf(entriesOf({ outside: "1" }))).entries["/outside"];
      if (!entry) throw new Error("no entry");
      const base = { entries: { "/../outside": entry, "/d/../../outside": entry } };
      await applyChanges({ dir: join(folder, "in"), base, entries: [] });
      expect(await readTree(folder)).toEqual({ outside: "1", "in/a": "" });
    }));
});

describe("applyChanges", () => {
  test("a tar stream of the session's tree is taken, and what was not changed is counted", () =>
    withFolder(async (folder) => {
      const base = { "src/a": BINARY, "src/l": { to: "a" }, e: null };
      const run = { "bin/run": file(BINARY, 0o755), "é 日本": "1" };
      await writeTree(folder, base);
      const imported = await baseOf(readFolder(folder));
      const entries = packTar(entriesOf({ ...base, ...run }));
      const report = await applyChanges({ dir: folder, base: imported, entries });
      expect(linesOf(report)).toEqual(["created bin/run", "created é 日本"]);
      expect(report.untouched).toBe(2);
      expect(await readTree(folder)).toEqual({ ...base, ...run });
    }));

  test("a stream that is cut off changes nothing", () =>
    withFolder(async (folder) => {
      await writeTree(folder, { a: "1", b: "1" });
      const base = await baseOf(readFolder(folder));
      const tar = new Uint8Array(await new Response(packTar(entriesOf({ a: "2", b: "2" }))).arrayBuffer());
      const entries = new Response(tar.slice(0, 1200)).body ?? undefined;
      if (!entries) throw new Error("no body");
      await expect(applyChanges({ dir: folder, base, entries })).rejects.toMatchObject({ code: "EIO" });
      expect(await readTree(folder)).toEqual({ a: "1", b: "1" });
    }));

  test("a signal stops between two files", () =>
    withFolder(async (folder) => {
      const signal = AbortSignal.abort(new Error("stop"));
      const entries = entriesOf({ a: "1" });
      await expect(applyChanges({ dir: folder, base: { entries: {} }, entries, signal })).rejects.toThrow("stop");
      expect(await readTree(folder)).toEqual({});
    }));

  test("a folder that is none is typed", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "f"), "");
      const applyTo = (name: string) =>
        applyChanges({ dir: join(folder, name), base: { entries: {} }, entries: entriesOf({ a: "1" }) });
      await expect(applyTo("none")).rejects.toMatchObject({ code: "ENOENT" });
      await expect(applyTo("f")).rejects.toMatchObject({ code: "ENOTDIR" });
    }));

  test("the folder itself may be reached through a link", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "real"));
      await symlink("real", join(folder, "l"));
      await applyChanges({ dir: join(folder, "l"), base: { entries: {} }, entries: entriesOf({ a: "1" }) });
      expect(await readTree(join(folder, "real"))).toEqual({ a: "1" });
    }));

  test("another name of the same file keeps its content", () =>
    withFolder(async (folder) => {
      const run = await apply(folder, { base: { a: "1" }, session: { a: "2" } });
      await link(join(folder, "a"), join(folder, "other"));
      await run();
      expect(await readTree(folder)).toEqual({ a: "2", other: "1" });
    }));

  test.skipIf(process.getuid?.() === 0)("what may not be written is refused, the rest is applied", () =>
    withFolder(async (folder) => {
      const run = await apply(folder, { base: { "d/a": "1" }, session: { "d/a": "2", "d/b": "2", c: "2" } });
      await chmod(join(folder, "d"), 0o500);
      const reason = "there is no permission to read or write it";
      expect(linesOf(await run())).toEqual(["created c", `refused d/a: ${reason}`, `refused d/b: ${reason}`]);
      await chmod(join(folder, "d"), 0o700);
    }),
  );

  test("a name that is too long for the disk is refused, the rest is applied", () =>
    withFolder(async (folder) => {
      const name = "é".repeat(200);
      const run = await apply(folder, { base: {}, session: { [name]: "1", a: "1" } });
      expect(linesOf(await run())).toEqual(["created a", `refused ${name}: its name is too long for this disk`]);
    }));

  test("what a killed process left is removed, that of a running one is not", () =>
    withFolder(async (folder) => {
      const dead = ".tenrec-999999999-0123456789ab.tmp";
      const alive = `.tenrec-${process.pid}-0123456789ab.tmp`;
      const run = await apply(folder, { base: {}, session: { a: "1" } });
      await run();
      await writeTree(folder, { [dead]: "half", [alive]: "half" });
      await run();
      expect(Object.keys(await readTree(folder))).toEqual([alive, "a"]);
    }));

  test("new folders have the mode that the session gave them; without folders in the tree it works too", () =>
    withFolder(async (folder) => {
      const before = entriesOf({ "gone/a": "1", "kept/a": "1" });
      const now = entriesOf({ "kept/a": "1", "plain/b": "1", "tight/c": "1", empty: null });
      await writeTree(folder, { "gone/a": "1", "kept/a": "1" });
      const withMode = (entry: ArchiveEntry): ArchiveEntry =>
        /tight$|empty$/.test(entry.path) ? { ...entry, mode: 0o2750 } : entry;
      const isNeeded = ({ path, kind }: ArchiveEntry): boolean => kind === "file" || /tight$|empty$/.test(path);
      const base = await baseOf(before.filter(isNeeded));
      await applyChanges({ dir: folder, base, entries: now.map(withMode).filter(isNeeded) });
      const tree = await readTree(folder, "", true);
      expect(Object.keys(tree)).toEqual(["empty", "kept", "kept/a", "plain", "plain/b", "tight", "tight/c"]);
      const modes = await Promise.all(
        ["empty", "plain", "tight"].map(async (name) => (await stat(join(folder, name))).mode),
      );
      expect(modes.map((mode) => mode & 0o7777)).toEqual([0o750, 0o755, 0o750]);
    }));

  test("the time of what was not changed stays", () =>
    withFolder(async (folder) => {
      const run = await apply(folder, { base: { a: "1", b: "1" }, session: { a: "1", b: "2" } });
      const before = await stat(join(folder, "a"), { bigint: true });
      await run();
      const after = await stat(join(folder, "a"), { bigint: true });
      expect([after.ino, after.ctimeNs]).toEqual([before.ino, before.ctimeNs]);
      expect(await readFile(join(folder, "b"), "utf8")).toBe("2");
    }));
});
