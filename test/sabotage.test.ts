import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

interface Edit {
  readonly name: string;
  readonly file: string;
  readonly from: string;
}

async function editsOf(): Promise<Edit[]> {
  const { sabotages } = (await import(join(root, "scripts/sabotage/sabotages.mjs"))) as {
    sabotages: { name: string; file: string; edits: [string, string][] }[];
  };
  const { GUARDS } = (await import(join(root, "scripts/sabotage/guards.mjs"))) as {
    GUARDS: { name: string; edits: [string, string, string][] }[];
  };
  return [
    ...sabotages.flatMap(({ name, file, edits }) =>
      edits.map(([from]) => ({ name, file: `packages/vfs/src/${file}`, from })),
    ),
    ...GUARDS.flatMap(({ name, edits }) => edits.map(([file, from]) => ({ name, file, from }))),
  ];
}

// The scripts take minutes and are run rarely; a mechanism that was rewritten would drop out of them unseen.
test("what the sabotage scripts break is still there to be broken", async () => {
  const edits = await editsOf();
  expect(edits.length).toBeGreaterThan(40);
  expect(edits.filter(({ file, from }) => !readFileSync(join(root, file), "utf8").includes(from))).toEqual([]);
});
