import { expect, it } from "vitest";
import { isWanted } from "./wanted-files.ts";

it.each([
  ["bin/run", true],
  ["lib.v2/run", true],
  ["run.", true],
  ["a.js", true],
  ["a.js.map", false],
  [".npmignore", false],
  ["a.d.ts", false],
  ["docs/LICENSE.md", false],
  // Of a tarball that is to keep the agent busy.
  [`${".".repeat(1_000_000)}/run`, true],
  [`${"README".repeat(200_000)}/run`, true],
])("path %# is wanted or not", (path, expected) => {
  expect(isWanted(path)).toBe(expected);
});
