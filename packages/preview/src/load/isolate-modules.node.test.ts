import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error -- a script without types
import { isolateText } from "../../../../scripts/preview-inside/isolate-text.mjs";

test("the text of what runs elsewhere is that of its sources; if not: node scripts/write-preview-inside.mjs", () => {
  const written = readFileSync(join(import.meta.dirname, "isolate-modules.ts"), "utf8");
  expect((isolateText as (folder: string) => string)(join(import.meta.dirname, ".."))).toBe(written);
});
