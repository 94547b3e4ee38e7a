import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../cli/specs.ts";
import { bashCompletion } from "./bash-completion.ts";
import { fishCompletion } from "./fish-completion.ts";

const sessions = mkdtempSync(join(tmpdir(), "tenrec's-sessions-"));
writeFileSync(join(sessions, "ab12-cd34.json"), "");

function complete(...words: string[]): string[] {
  const ask = `COMP_WORDS=(tenrec "$@"); COMP_CWORD=$#; _tenrec; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${bashCompletion(COMMANDS, sessions)}\n${ask}`;
  return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

test.each([
  [["mo"], ["models"]],
  [["run", "--ap"], ["--apply"]],
  [
    ["run", "--permission", "e"],
    ["edit", "execute"],
  ],
  [["run", "--session", ""], ["ab12-cd34"]],
  [["run", "-s", "a"], ["ab12-cd34"]],
  [["completion", "z"], ["zsh"]],
  [["run", "--model", ""], []],
])("bash completes %j", (words, expected) => expect(complete(...words)).toEqual(expected));

test("fish is told of every command and option", () => {
  const script = fishCompletion(COMMANDS, sessions);
  for (const { name, options } of COMMANDS) {
    expect(script).toContain(`-a ${name} -d `);
    for (const option of Object.keys(options)) expect(script).toContain(`from ${name}' -l ${option}`);
  }
});
