import type { PreviewReport } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { PreviewNews } from "./preview-news.ts";

let newest = "t";
const newsOf = (): PreviewNews => {
  newest = "t";
  return new PreviewNews(() => newest);
};
const report = (kind: PreviewReport["kind"], n: number): PreviewReport => ({
  session: "s",
  tree: "t",
  kind,
  detail: { message: `failure ${n}` },
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test("the journal has each thing once for a tree, and not too many", () => {
  const news = newsOf();
  const added = (kind: PreviewReport["kind"]): number => numbers(30).filter((n) => news.add(report(kind, n))).length;
  expect(news.add(report("exception", 0))).toBe(true);
  expect(news.add(report("exception", 0))).toBe(false);
  expect([added("browser-error"), added("exception"), added("console")]).toEqual([10, 19, 0]);
  newest = "u";
  expect(added("exception")).toBe(20);
  newest = "v";
  const slow = (ms: number): PreviewReport => ({ ...report("request", 0), detail: { path: "/", ms } });
  expect([news.add(slow(1)), news.add(slow(2))]).toEqual([true, false]);
});

test("the model is told what came last, and of pages no more than leaves room for the rest", () => {
  const news = newsOf();
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
  const news = newsOf();
  const heard = (): number => numbers(300).filter(() => news.hear("s")).length;
  expect([heard(), heard()]).toEqual([200, 0]);
  newest = "u";
  expect(heard()).toBe(200);
});
