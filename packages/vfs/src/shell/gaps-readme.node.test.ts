import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gaps } from "./with-gaps.ts";

test("the README lists the cases that a workspace cannot pass", async () => {
  const readme = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
  const rows = gaps.map(
    ({ name, reason, passesWithBucket }) => `| ${name} | ${reason} | ${passesWithBucket ? "yes" : "no"} |`,
  );
  const table = readme.split("\n").filter((line) => / \| (yes|no) \|$/.test(line));
  expect(table).toEqual(rows);
});
