import { describe, expect, test } from "vitest";
import { commandHelp, overview } from "./help-text.ts";
import { parseCommand } from "./parse-command.ts";
import { COMMANDS } from "./specs.ts";

test("the overview fits a terminal and names every command", () => {
  const text = overview(COMMANDS);
  for (const { name } of COMMANDS) expect(text).toContain(`  ${name} `);
});

describe.each(COMMANDS)("the help of $name", (spec) => {
  const text = commandHelp(spec);

  test("has every option, and no line that wraps", () => {
    for (const name of Object.keys(spec.options)) expect(text).toContain(`--${name}`);
    expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  test("has examples that are understood", () => {
    expect(spec.examples.length).toBeGreaterThan(0);
    for (const { line } of spec.examples) {
      const command = /tenrec ([^|)]*)/.exec(line)?.[1] ?? "";
      const words = [...command.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, inner]) => inner ?? word);
      expect(parseCommand(words, COMMANDS).spec.name).toBe(spec.name);
    }
  });
});
