import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error -- a script without types
import { insideText } from "../../../../scripts/preview-inside/inside-text.mjs";

test("the text of the inside is that of its sources; if not: node scripts/write-preview-inside.mjs", () => {
  const written = readFileSync(join(import.meta.dirname, "inside-modules.ts"), "utf8");
  expect((insideText as (folder: string) => string)(join(import.meta.dirname, "..", "inside"))).toBe(written);
});
