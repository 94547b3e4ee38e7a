import { expect, test } from "vitest";
import { parseCommand } from "./parse-command.ts";
import { COMMANDS } from "./specs.ts";

test.each([
  [["run", "do it", "--apply"], ["do it"], ["apply"], {}],
  [["run", "-d", "a b", "--max-cost=0.5", "x"], ["x"], [], { dir: ["a b"], "max-cost": ["0.5"] }],
  [["run", "-i", "a.png", "--image", "b.png", "x"], ["x"], [], { image: ["a.png", "b.png"] }],
  [["run", "--patch", "-", "-"], ["-"], [], { patch: ["-"] }],
  [["run", "--json", "--", "--apply"], ["--apply"], ["json"], {}],
  [["sessions", "rm", "a", "b"], ["rm", "a", "b"], [], {}],
  [["sessions", "undo", "a", "--turn", "3"], ["undo", "a"], [], { turn: ["3"] }],
  [["sessions", "undo", "a", "--redo"], ["undo", "a"], ["redo"], {}],
  [["sessions", "export", "a", "--markdown"], ["export", "a"], ["markdown"], {}],
  [["run", "a", "b", "--help"], ["a", "b"], ["help"], {}],
])("%j is understood", (args, words, switches, values) => {
  const parsed = parseCommand(args, COMMANDS);
  expect([parsed.words, [...parsed.switches], Object.fromEntries(parsed.values)]).toEqual([words, switches, values]);
});

test.each([
  [["rnu"], /There is no command "rnu". Did you mean run\?/],
  [["run", "--aply"], /There is no option --aply of tenrec run. Did you mean --apply\?/],
  [["run", "-z"], /There is no option -z/],
  [["run", "--constructor"], /There is no option --constructor/],
  [["run", "--dir"], /--dir needs <folder>/],
  [["run", "--dir", "--json"], /--dir needs <folder>/],
  [["run", "--json=yes"], /--json takes no value/],
  [["run", "--dir", "a", "--dir", "b"], /--dir is given twice/],
  [["run", "--permission", "exec"], /is one of read, .*"exec" is not. Did you mean execute\?/],
  [["run", "fix", "it"], /"it" is one word too many. Put the prompt into quotes/],
  [["models", "x"], /"x" is one word too many/],
])("%j is wrong use", (args, message) => expect(() => parseCommand(args, COMMANDS)).toThrow(message));
