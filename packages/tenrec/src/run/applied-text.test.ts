import { expect, test } from "vitest";
import type { FileOutcome } from "../folder/apply-changes.ts";
import { plain } from "../terminal/paint.ts";
import { appliedText } from "./applied-text.ts";

test.each<[string, FileOutcome[], string]>([
  ["nothing", [], "There is nothing to apply.\n"],
  ["one file", [{ path: "/a", status: "created" }], "1 file applied\n"],
  [
    "some files, and one that was refused",
    [
      { path: "/a", status: "modified" },
      { path: "/b\u001b[2J", status: "refused", reason: "it was changed on disk since the import" },
      { path: "/c", status: "unchanged" },
      { path: "/d", status: "deleted" },
    ],
    "✗ b�[2J: refused: it was changed on disk since the import\n2 files applied, 1 refused\n",
  ],
])("of %s", (_name, files, expected) => expect(appliedText(files, plain)).toBe(expected));
