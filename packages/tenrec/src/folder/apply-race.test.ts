import { readdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { applyChanges } from "./apply-changes.ts";
import { baseOf } from "./base.ts";
import { entriesOf, type Tree, withFolder, writeTree } from "./with-folder.ts";

// So large that an editor has the time to save while it is written.
const LARGE = "x".repeat(40_000_000);

test.each<[string, Tree, string]>([
  ["changed", { a: "1" }, "it was changed on disk just now"],
  ["made", {}, "it appeared on disk just now"],
])("a file that an editor %s while its new content is written is kept", (_, base, reason) =>
  withFolder(async (folder) => {
    await writeTree(folder, base);
    const entries = entriesOf({ a: LARGE });
    const applying = applyChanges({ dir: folder, base: await baseOf(entriesOf(base)), entries });
    while (!readdirSync(folder).some((name) => name.startsWith(".tenrec-"))) await setImmediate();
    writeFileSync(join(folder, "a"), "mine");
    expect((await applying).files).toEqual([{ path: "/a", status: "refused", reason }]);
    expect(await readFile(join(folder, "a"), "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["a"]);
  }),
);
