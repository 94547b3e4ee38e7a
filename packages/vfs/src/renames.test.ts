import { describe, expect, test } from "vitest";
import type { Difference } from "./changes.ts";
import type { Entry } from "./entry.ts";
import { findRenames } from "./renames.ts";
import { sha256 } from "./sha256.ts";
import { lineSpans, similarity } from "./similarity.ts";

const encoder = new TextEncoder();
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `a line of its own, number ${from + index}\n`).join("");

type Side = Readonly<Record<string, string | { to: string }>>;

/** Renames between what is only left and what is only right, as "from -> to percent". */
async function renames(left: Side, right: Side, signal?: AbortSignal): Promise<{ found: string[]; read: number }> {
  const contents = new Map<string, string>();
  const entry = (path: string, value: string | { to: string }): Entry => {
    if (typeof value !== "string") return { kind: "symlink", target: value.to, mtime: 0 };
    contents.set(path, value);
    return { kind: "file", mode: 0o644, size: encoder.encode(value).length, hash: sha256(value), mtime: 0 };
  };
  const differences: Difference[] = [
    ...Object.entries(left).map(([path, value]) => ({ path, before: entry(path, value), after: undefined })),
    ...Object.entries(right).map(([path, value]) => ({ path, before: undefined, after: entry(path, value) })),
  ];
  let read = 0;
  const readContent = (path: string): Uint8Array => {
    read++;
    return encoder.encode(contents.get(path) ?? "");
  };
  const found = await findRenames(differences, readContent, signal);
  return { found: found.map(({ from, to, similarity: score }) => `${from.path} -> ${to.path} ${score}`), read };
}

describe("findRenames", () => {
  test.each<[string, Side, Side, string[]]>([
    ["the same content", { "/a": "x" }, { "/b": "x" }, ["/a -> /b 100"]],
    ["a link of the same target", { "/a": { to: "x" } }, { "/b": { to: "x" } }, ["/a -> /b 100"]],
    ["no file for a link", { "/a": "x" }, { "/b": { to: "x" } }, []],
    ["no link for one that leads elsewhere", { "/a": { to: "x" } }, { "/b": { to: "y" } }, []],
    ["each path once", { "/a": "x" }, { "/b": "x", "/c": "x" }, ["/a -> /b 100"]],
    [
      "the same name first",
      { "/1/a": "x", "/1/b": "x" },
      { "/2/b": "x", "/2/a": "x" },
      ["/1/b -> /2/b 100", "/1/a -> /2/a 100"],
    ],
    ["more than half", { "/a": lines(0, 40) }, { "/b": lines(10, 40) }, ["/a -> /b 75"]],
    ["not less than half", { "/a": lines(0, 40) }, { "/b": lines(30, 70) }, []],
    ["the most alike", { "/a": lines(0, 40), "/b": lines(5, 40) }, { "/c": lines(6, 40) }, ["/b -> /c 97"]],
    ["nothing for a content that is empty", { "/a": "", "/x": "x" }, { "/b": "y" }, []],
    [
      "the same name, of two that are as much alike",
      { "/1/a": lines(0, 40), "/1/b": lines(20, 40) + lines(0, 20) },
      { "/2/b": lines(5, 40) },
      ["/1/b -> /2/b 87"],
    ],
    [
      "lines in another order",
      { "/a": lines(0, 20) + lines(20, 40) },
      { "/b": lines(20, 40) + lines(0, 20) },
      ["/a -> /b 100"],
    ],
    ["other ends of lines", { "/a": lines(0, 20) }, { "/b": lines(0, 20).replaceAll("\n", "\r\n") }, ["/a -> /b 96"]],
  ])("%s", async (_, left, right, expected) => {
    expect((await renames(left, right)).found).toEqual(expected);
  });

  test("compares no more than it may, and still finds the same content", async () => {
    const many = (prefix: string, count: number): Side =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`/${prefix}${i}`, lines(i * 100, i * 100 + 5) + prefix]),
      );
    const few = await renames(many("a", 200), many("b", 200));
    expect(few.found).toHaveLength(200);
    const pairs = await renames({ ...many("a", 200), "/same": "s" }, { ...many("b", 201), "/moved": "s" });
    expect(pairs).toEqual({ found: ["/same -> /moved 100"], read: 0 });
    const megabyte = "x".repeat(1024 * 1024);
    const large = (name: string, count: number): Side =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`/${name}${i}`, `${i}${megabyte.slice(9)}`]));
    expect((await renames(large("a", 8), large("b", 9))).read).toBe(0);
    expect((await renames({ "/a": `a${megabyte}` }, { "/b": `b${megabyte}` })).read).toBe(0);
  });

  test("reads nothing when nothing was removed or nothing created", async () => {
    expect((await renames({}, { "/a": "x", "/b": "y" })).read).toBe(0);
    expect((await renames({ "/a": "x", "/b": "y" }, {})).read).toBe(0);
  });

  test("thousands of the same content under other names take no square of time", { timeout: 8000 }, async () => {
    const side = (prefix: string): Side =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`/${prefix}${index}`, ""]));
    const { found } = await renames(side("a"), side("b"));
    expect(found.length).toBe(20_000);
    expect(found.slice(0, 2)).toEqual(["/a0 -> /b0 100", "/a1 -> /b1 100"]);
  });

  test("an abort ends it", async () => {
    const reason = new Error("enough");
    await expect(renames({ "/a": "x" }, { "/b": "y" }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test("contents are alike by the bytes of the lines that both have", () => {
  const score = (a: string, b: string): number => {
    const [left, right] = [encoder.encode(a), encoder.encode(b)];
    return similarity(lineSpans(left), lineSpans(right), Math.max(left.length, right.length));
  };
  expect(score("", "")).toBe(0);
  expect(score("a\nb\n", "a\nb\n")).toBe(1);
  expect(score("a\na\n", "a\nb\n")).toBe(0.5);
  expect(score("x".repeat(640), "x".repeat(64))).toBe(0.1);
});
