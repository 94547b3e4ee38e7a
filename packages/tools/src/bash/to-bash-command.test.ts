import { TenrecError } from "@tenrec/protocol";
import { InMemoryFs, Bash } from "just-bash/browser";
import { describe, expect, it } from "vitest";
import { failedOutput } from "../failed-output.ts";
import type { ShellCommand } from "./shell-command.ts";
import { toBashCommand } from "./to-bash-command.ts";

const run = async (command: ShellCommand, line: string): Promise<string> => {
  const signal = new AbortController().signal;
  const customCommands = [
    toBashCommand(command, signal, {
      onThrow: (error, name) => ({ stderr: `${name}: ${failedOutput(error).text}\n`, exitCode: 1 }),
      onElsewhere: (name) => ({ stderr: `${name}: elsewhere\n`, exitCode: 127 }),
    }),
  ];
  const bash = new Bash({
    fs: new InMemoryFs({ "/d/a.txt": "hé\n" }),
    cwd: "/d",
    customCommands,
    defenseInDepth: false,
  });
  const { stdout, stderr, exitCode } = await bash.exec(line, { rawScript: true });
  return `${stdout}|${stderr}|${exitCode}`;
};

describe("a command of our own", () => {
  it.each<[string, ShellCommand["run"], string, string]>([
    ["has arguments", async (args) => ({ stdout: args.join("|") }), "own 'a b' c", "a b|c||0"],
    ["has a folder", async (_, { cwd }) => ({ stdout: cwd }), "own", "/d||0"],
    ["reads text", async (_, { stdin }) => ({ stdout: stdin.text() }), "printf 'h\\xc3\\xa9' | own", "hé||0"],
    [
      "reads bytes",
      async (_, { stdin }) => ({ stdout: stdin.bytes().join() }),
      "echo /wE= | base64 -d | own",
      "255,1||0",
    ],
    ["prints bytes", async () => ({ stdout: new Uint8Array([255, 0]) }), "own | base64", "/wA=\n||0"],
    ["fails", async () => ({ stderr: "no\n", exitCode: 3 }), "own", "|no\n|3"],
    ["throws", () => Promise.reject(new TenrecError("ENOENT", { path: "/x" })), "own 2>/dev/null", "||1"],
    [
      "resolves paths",
      async (_, { fs, resolve }) => ({ stdout: await fs.readFile(resolve("a.txt")) }),
      "own",
      "hé\n||0",
    ],
    ["runs another", (_, { exec }) => exec(["echo", "$a 'b"]), "own", "$a 'b\n||0"],
    [
      "gives input to another",
      (_, { exec }) => exec(["wc", "-c"], new Uint8Array([200, 0])),
      "own | tr -d ' '",
      "2\n||0",
    ],
    ["leaves it to others", async (_, { elsewhere }) => elsewhere(), "own", "|own: elsewhere\n|127"],
    ["stands in for none", (_, { original }) => original([]), "own", "|bash: own: command not found\n|127"],
  ])("%s", async (_name, body, line, printed) => {
    expect(await run({ name: "own", callsOthers: true, run: body }, line)).toBe(printed);
  });

  it("runs no other without saying so beforehand", async () => {
    const own: ShellCommand = { name: "own", run: (_, { exec }) => exec(["echo", "a"]) };
    expect(await run(own, "own")).toBe("|bash: echo: command not found\n|127");
  });

  it("stands in for one of just-bash, and calls that with the same input", async () => {
    const rev: ShellCommand = { name: "rev", callsOriginal: true, run: (args, { original }) => original(args) };
    expect(await run(rev, "echo ab | rev")).toBe("ba\n||0");
  });
});
