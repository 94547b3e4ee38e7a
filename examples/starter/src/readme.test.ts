import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8");

test("the README shows the Worker as it is", () => {
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read("index.ts")}\`\`\`\n`);
});
