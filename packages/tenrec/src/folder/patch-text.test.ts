import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { FileDiff } from "@tenrec/protocol";
import { importEntries, TreeStore } from "@tenrec/vfs";
import { createNodeStorage } from "@tenrec/vfs/testing";
import { describe, expect, test } from "vitest";
import { leftOutOfPatch, patchText } from "./patch-text.ts";
import { entriesOf, file, readTree, type Tree, withFolder, writeTree } from "./with-folder.ts";
import { writePatch } from "./write-patch.ts";

/** As the server compares two trees. */
async function diffOf(before: Tree, after: Tree): Promise<FileDiff[]> {
  const storage = createNodeStorage();
  try {
    const store = new TreeStore(storage);
    const [a, b] = await Promise.all(
      [before, after].map(async (tree, i) => {
        const overlay = store.overlay(store.emptyTree);
        await importEntries(overlay, entriesOf(tree));
        store.setHead(`${i}`, store.emptyTree);
        return store.commit(`${i}`, await store.stage(overlay)).tree;
      }),
    );
    return await store.diff(a ?? "", b ?? "");
  } finally {
    storage.close();
  }
}

function git(folder: string, args: string[], input?: string): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    env,
    ...(input === undefined ? {} : { input }),
  });
}

const LINES = Array.from({ length: 40 }, (_, i) => `line ${i}`);
const latin = (content: string): string => Buffer.from(content).toString("latin1");

const CASES: Record<string, [before: Tree, after: Tree]> = {
  "a change": [{ a: `${LINES.join("\n")}\n` }, { a: `${LINES.with(3, "x").with(30, "y").join("\n")}\n` }],
  "a new file in a new folder": [{}, { "d/e/a": "1\n2\n" }],
  "a new empty file": [{}, { a: "" }],
  "a deletion": [{ "d/a": "1\n2\n", b: "" }, { b: "" }],
  "the deletion of an empty file": [{ a: "", b: "" }, { b: "" }],
  "emptied and filled": [
    { a: "1\n", b: "" },
    { a: "", b: "1\n" },
  ],
  "no final newline before": [{ a: "1\n2" }, { a: "1\n2\n" }],
  "no final newline after": [{ a: "1\n2\n" }, { a: "1\n2" }],
  "no final newline at all": [
    { a: "1\n2", b: "1" },
    { a: "1\n3", c: "1" },
  ],
  CRLF: [{ a: "1\r\n2\r\n3" }, { a: "1\r\n3\r\n3", b: "1\r\n" }],
  "CRLF to LF": [{ a: "1\r\n2\r\n" }, { a: "1\n2\n" }],
  "a lone CR": [{ a: "1\r2\n" }, { a: "1\r3\n" }],
  "lines that look like a patch": [{ a: "-- a/x\n1\n" }, { a: "++ b/x\n1\n@@ -1 +1 @@\ndiff --git a/q b/q\n" }],
  executable: [{ a: "1\n" }, { a: file("1\n", 0o755), b: file("2\n", 0o755) }],
  "executable and changed": [{ a: "1\n" }, { a: file("2\n", 0o755) }],
  "no longer executable": [{ a: file("1\n", 0o755), b: file("1\n", 0o755) }, { a: "1\n" }],
  "an executable file changes": [{ a: file("1\n", 0o755) }, { a: file("2\n", 0o755) }],
  links: [
    { a: { to: "x" }, b: { to: "y" } },
    { a: { to: "z" }, c: { to: "x y" } },
  ],
  spaces: [
    { "a b": "1\n", " c ": "1\n" },
    { "a b": "2\n", " d": "1\n", "e ": "1\n" },
  ],
  unicode: [
    { é: "1\n", "日本 語": "1\n" },
    { é: "é 日本\u2028x\n".normalize("NFD"), "🙂": "1\n" },
  ],
  "quotes, tabs and newlines": [
    { 'a"b': "1\n", "c\td": "1\n" },
    { 'a"b': "2\n", "e\nf": "1\n", "g\\h": "1\n" },
  ],
  "names of a patch": [
    { "b/a/b": "1\n", "-x": "1\n" },
    { "b/a/b": "2\n", "-x": "2\n", "a b/b b": "1\n" },
  ],
  "a file becomes a link, and a link a file": [
    { a: "1\n", b: { to: "x" } },
    { a: { to: "x" }, b: "1\n" },
  ],
  renames: [
    { "a/b": `${LINES.join("\n")}\n`, "d e": "1\n", l: { to: "x" }, run: file("2\n", 0o755) },
    { "c d/\tb": `${LINES.with(3, "x").join("\n")}\n`, f: "1\n", m: { to: "x" }, "sub/run": "2\n" },
  ],
  "a file becomes a folder": [{ a: "1\n" }, { "a/b": "1\n" }],
  "a folder becomes a file": [{ "a/b": "1\n" }, { a: "1\n" }],
};

describe("patchText", () => {
  test.each(Object.entries(CASES))("git apply: %s", (_, [from, to]) =>
    withFolder(async (folder) => {
      const utf8 = (tree: Tree): Tree =>
        Object.fromEntries(
          Object.entries(tree).map(([path, node]) => [path, typeof node === "string" ? latin(node) : node]),
        );
      const [before, after] = [utf8(from), utf8(to)];
      const patch = patchText(await diffOf(before, after));
      await writeTree(folder, before);
      git(folder, ["apply", "--check", "--whitespace=nowarn", "-"], patch);
      git(folder, ["apply", "--whitespace=nowarn", "-"], patch);
      expect(await readTree(folder)).toEqual(after);
    }),
  );

  test("git apply in a repository, with its index", () =>
    withFolder(async (folder) => {
      const [before, after] = [
        { a: "1\n", "d e": "1\n" },
        { a: "2\n", "d e/f": "1\n" },
      ];
      await writeTree(folder, before);
      git(folder, ["init", "-q"]);
      git(folder, ["add", "."]);
      git(folder, ["apply", "--index", "-"], patchText(await diffOf(before, after)));
      expect(git(folder, ["ls-files"])).toBe("a\nd e/f\n");
      expect(git(folder, ["diff"])).toBe("");
    }));

  test("what it cannot carry is listed at its top, and the rest applies", () =>
    withFolder(async (folder) => {
      const before = {
        bin: "\0\x01",
        latin: "caf\xe9\n",
        large: "x\n",
        late: `${"x".repeat(9000)}\n`,
        a: "1\n",
      };
      const after = {
        bin: "\0\x02",
        latin: "th\xe9\n",
        large: "x\n".repeat(600_000),
        late: `${"x".repeat(9000)}\0`,
        a: "2\n",
        "new\nbin": "\0",
      };
      const diffs = await diffOf(before, after);
      expect(leftOutOfPatch(diffs)).toEqual([
        { path: "/bin", reason: "it is binary" },
        { path: "/large", reason: "it is too large to compare" },
        { path: "/late", reason: "it is binary" },
        { path: "/latin", reason: "it is not all UTF-8" },
        { path: "/new\nbin", reason: "it is binary" },
      ]);
      const patch = patchText(diffs);
      expect(patch.split("\n").slice(0, 7)).toEqual([
        "# Not in this patch, take it with --apply instead:",
        "#   bin: it is binary",
        "#   large: it is too large to compare",
        "#   late: it is binary",
        "#   latin: it is not all UTF-8",
        String.raw`#   "new\012bin": it is binary`,
        "",
      ]);
      await writeTree(folder, before);
      git(folder, ["apply", "-"], patch);
      expect(await readTree(folder)).toEqual({ ...before, a: "2\n" });
    }));

  test("nothing changed is an empty patch", () => {
    expect(patchText([])).toBe("");
  });
});

describe("writePatch", () => {
  const trees: [Tree, Tree] = [
    { a: "1\n", b: "\0" },
    { a: "2\n", b: "\0\0" },
  ];

  test("to a file, in one step", () =>
    withFolder(async (folder) => {
      const path = join(folder, "p.patch");
      const diffs = await diffOf(...trees);
      await writeFile(path, "old");
      await chmod(path, 0o600);
      const stdout = new PassThrough();
      expect(await writePatch(path, diffs, { stdout })).toEqual({
        files: 1,
        leftOut: [{ path: "/b", reason: "it is binary" }],
      });
      expect(await readTree(folder)).toEqual({ "p.patch": file(patchText(diffs), 0o600) });
      await mkdir(join(folder, "d"));
      await expect(writePatch(join(folder, "d"), diffs, { stdout })).rejects.toMatchObject({ code: "EISDIR" });
      await expect(writePatch(join(folder, "no/p"), diffs, { stdout })).rejects.toMatchObject({ code: "ENOENT" });
    }));

  test("through a link, to what it names", () =>
    withFolder(async (folder) => {
      await writeTree(folder, { "d/p": "old", l: { to: "d/p" } });
      const diffs = await diffOf(...trees);
      await writePatch(join(folder, "l"), diffs, { stdout: new PassThrough() });
      expect(await readFile(join(folder, "d/p"), "utf8")).toBe(patchText(diffs));
      expect(await readTree(folder)).toMatchObject({ l: { to: "d/p" } });
    }));

  test("to stdout for -", () =>
    withFolder(async () => {
      const stdout = new PassThrough();
      const diffs = await diffOf(...trees);
      const read = text(stdout);
      await writePatch("-", diffs, { stdout });
      stdout.end();
      expect(await read).toBe(patchText(diffs));
    }));
});
