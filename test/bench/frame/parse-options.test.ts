import { expect, test } from "vitest";
import { parseOptions, UsageError } from "./parse-options.ts";

const benches = { vfs: ["read", "write"], loop: ["turn"] };

test.each([
  { args: "vfs", expected: { bench: "vfs", only: [], runs: undefined, quick: false } },
  { args: "--quick loop", expected: { bench: "loop", only: [], runs: undefined, quick: true } },
  {
    args: "vfs --only read --only write",
    expected: { bench: "vfs", only: ["read", "write"], runs: undefined, quick: false },
  },
  {
    args: "vfs --only=read,write --runs=7",
    expected: { bench: "vfs", only: ["read", "write"], runs: 7, quick: false },
  },
  { args: "vfs --runs 1", expected: { bench: "vfs", only: [], runs: 1, quick: false } },
])("$args", ({ args, expected }) => {
  expect(parseOptions(args.split(" "), benches)).toEqual(expected);
});

test.each([
  { args: "", message: "name a benchmark: vfs, loop." },
  { args: "vsf", message: "there is no benchmark vsf: vfs, loop." },
  { args: "toString", message: "there is no benchmark toString: vfs, loop." },
  { args: "vfs loop", message: "one benchmark at a time, not loop too: vfs, loop." },
  { args: "vfs --only turn", message: "vfs has no case turn: read, write." },
  { args: "vfs --only", message: "--only needs a value." },
  { args: "vfs --only --quick", message: "--only needs a value." },
  { args: "vfs --runs 0", message: "--runs takes a number from 1 to 9999, not 0." },
  { args: "vfs --runs many", message: "--runs takes a number from 1 to 9999, not many." },
  { args: "vfs --fast", message: "unknown option --fast: there are --only <case>, --runs <number> and --quick." },
  {
    args: "vfs --quick=yes",
    message: "unknown option --quick=yes: there are --only <case>, --runs <number> and --quick.",
  },
])("$args is refused", ({ args, message }) => {
  const parse = () => parseOptions(args.split(" ").filter(Boolean), benches);
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
});
