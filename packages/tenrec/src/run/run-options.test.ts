import { expect, test } from "vitest";
import { parseCommand } from "../cli/parse-command.ts";
import { COMMANDS } from "../cli/specs.ts";
import { readRunOptions, type RunOptions } from "./run-options.ts";

const read = (...args: string[]): RunOptions => readRunOptions(parseCommand(["run", ...args], COMMANDS), "/here");

test.each<[string[], Partial<RunOptions>]>([
  [["x"], { words: ["x"], dir: "/here", json: false, apply: false, patch: undefined, permission: undefined }],
  [["--dir", "sub", "x"], { dir: "/here/sub" }],
  [["--dir", "/else", "x"], { dir: "/else" }],
  [["--patch", "a.diff", "--image", "b.png"], { patch: "/here/a.diff", images: ["/here/b.png"] }],
  [["--patch", "-"], { patch: "-" }],
  [["--max-cost", "0.5", "--max-steps", "3"], { maxUsd: 0.5, maxSteps: 3 }],
  [["-p", "read", "-m", "a/b", "-s", "id"], { permission: "read", model: "a/b", session: "id" }],
])("%j", (args, expected) => expect(read(...args)).toMatchObject(expected));

test.each([
  [["--apply", "--patch", "x"], /Choose one of --apply and --patch/],
  [["--json", "--patch", "-"], /both want standard output/],
  [["--session", "a", "--dir", "b"], /leave out --dir/],
  [["--max-cost", "free"], /--max-cost needs an amount/],
  [["--max-cost", "0"], /--max-cost needs an amount/],
  [["--max-steps", "1.5"], /--max-steps needs a whole number/],
])("%j is wrong use", (args, message) => expect(() => read(...args)).toThrow(message));
