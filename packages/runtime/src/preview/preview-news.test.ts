import type { PreviewReport } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { PreviewNews } from "./preview-news.ts";

const report = (kind: PreviewReport["kind"], n: number, tree = "t"): PreviewReport => ({
  session: "s",
  tree,
  kind,
  detail: { message: `failure ${n}` },
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test("the journal has each thing once for a tree, and not too many", () => {
  const news = new PreviewNews();
  const added = (kind: PreviewReport["kind"], tree?: string): number =>
    numbers(30).filter((n) => news.add(report(kind, n, tree))).length;
  expect(news.add(report("exception", 0))).toBe(true);
  expect(news.add(report("exception", 0))).toBe(false);
  expect([added("browser-error"), added("exception"), added("console")]).toEqual([10, 19, 0]);
  expect(added("exception", "u")).toBe(20);
  const slow = (ms: number): PreviewReport => ({ ...report("request", 0, "v"), detail: { path: "/", ms } });
  expect([news.add(slow(1)), news.add(slow(2))]).toEqual([true, false]);
});

test("the model is told what came last, and of pages no more than leaves room for the rest", () => {
  const news = new PreviewNews();
  for (const n of numbers(110)) news.add(report("console", n));
  for (const n of numbers(30)) news.add(report("browser-error", n));
  const taken = news.take("s");
  expect(taken.filter(({ kind }) => kind === "browser-error").map(({ detail }) => detail)).toEqual(
    numbers(20).map((n) => ({ message: `failure ${n + 10}` })),
  );
  expect(taken).toHaveLength(100);
  expect(news.take("s")).toEqual([]);
});

test("of a tree so many errors of pages are looked at, until the files change", () => {
  const news = new PreviewNews();
  const heard = (tree: string): number => numbers(300).filter(() => news.hear("s", tree)).length;
  expect([heard("t"), heard("t"), heard("u")]).toEqual([200, 0, 200]);
});
