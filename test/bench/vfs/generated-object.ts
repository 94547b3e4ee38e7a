import type { VfsContext } from "./context.ts";
import { generatedFiles } from "./corpus/derived-trees.ts";
import { importInto } from "./trees.ts";

/** Files of the generated trees. */
export const SMALL = 200;
export const LARGE = 50_000;
export const QUICK_LARGE = 5000;

const PART = 10_000;

/** The object in which Tenrec holds a generated tree; imports it the first time. */
export async function generatedObject({ tenrec, report }: VfsContext, size: number): Promise<string> {
  const object = `generated-${size}`;
  const there = await tenrec.post(object, "glob", { pattern: "file-0.ts", times: 1 });
  if (there === "1") return object;
  report.say(`    importing ${size} generated files`);
  for (let from = 0; from < size; from += PART) {
    await importInto(object, [generatedFiles(from, Math.min(from + PART, size))], [tenrec]);
  }
  return object;
}
