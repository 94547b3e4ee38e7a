import { TenrecError } from "@tenrec/protocol";
import { describe, expect, it, test } from "vitest";
import { cat } from "../commands/cat.ts";
import { echo } from "../commands/echo.ts";
import { head } from "../commands/head.ts";
import { ls } from "../commands/ls.ts";
import { sed } from "../commands/sed/sed.ts";
import { sort } from "../commands/sort.ts";
import { tr } from "../commands/tr.ts";
import { tar } from "../commands/tar/tar.ts";
import { wc } from "../commands/wc.ts";
import { xargs } from "../commands/xargs.ts";
import { parseLine } from "../parse-line.ts";
import type { ShellCommand } from "../shell-command.ts";
import { createEgress } from "../../web/egress.ts";
import { withTools } from "../../with-tools.ts";
import { directLine } from "./direct-line.ts";

const heavy: ShellCommand = { name: "npm", takes: (args) => args[0] === "install", run: async () => ({}) };
const OWN = [cat, echo, head, tr, ls, sed, sort, tar, wc, xargs, heavy];

const BUNDLED = new Set(["jq", "mkdir"]);

describe("a line that runs without just-bash", () => {
  test.each([
    "cat a.txt",
    "cd src && ls -la | head -20; echo '---'",
    "sort a.txt || true\ntail -5 a.txt",
    "cat 'a b' \"c d\" e\\ f $'g\\n'",
    "cat < a.txt 2>/dev/null | tr a-z A-Z > /dev/null",
    "ls none 2>&1 | head -n 3",
    "cat a.txt &>/dev/null; pwd",
    "cat a # $x",
    "sed -n '10,20p' a.txt | tail -n 2",
    "npm install x",
    'for f in *.ts; do n=$(wc -l < "$f"); echo "${f##*/}: $n" >> out; done',
    'while IFS= read -r line; do [ -n "$line" ] && echo "$line"; done < a.txt',
    "if [[ $x == *.ts || -f $x ]]; then (cd src; ls); elif ! ls; then { ls; } fi",
    "set -euo pipefail; x=$((1 + 2)); export Y=$x; case $Y in 3) ls ~ {a,b};; esac",
    "f() { local a=$1; return 3; }; f x || echo $?; unset a; cd -",
    "cat <<EOF > a.txt\n  $x\nEOF\nX=1 sort <<< a",
    "ls | jq . ; echo $(jq . a.json); ls | xargs cat",
    "while read -r l; do mkdir -p $l; done < a.txt",
    "for ((i = 0; i < 3; i++)); do printf '%3d\\n' $i; done",
  ])("%s", (line) => expect(directLine(parseLine(line), OWN, BUNDLED)).toBeDefined());
});

describe("a line for just-bash", () => {
  test.each([
    ["is not valid", "echo 'a"],
    ["is not valid later", "echo a\n}"],
    ["has a command of just-bash that reads what others read on", "while read -r l; do jq .; done < a.txt"],
    ["has a command that is not there", "frobnicate"],
    ["has a command that is not known before", "$x a"],
    ["has a function of a command's name", "ls() { cat; }; ls"],
    ["has an option of just-bash", "tail -c 3 a.txt"],
    ["may have one", 'tail "$x"'],
    ["has what only an executor takes", "npm test"],
    ["may have what only an executor takes", "npm $x"],
    ["has other builtins", "shopt -s nullglob; ls"],
    ["has other options of builtins", "set -x; ls"],
    ["has a trap", "trap 'ls' EXIT"],
    ["has an array", "a=(1 2); ls"],
    ["has an element of an array", "ls ${a[1]}"],
    ["has variables of bash's own", "echo $RANDOM"],
    ["changes where commands are found", "PATH=/x ls"],
    ["has an extended pattern", "ls @(a|b)"],
    ["matches a regular expression", "[[ $x =~ a ]]"],
    ["runs in the background", "ls &"],
    ["takes time", "time ls"],
    ["opens a descriptor", "ls 3>/dev/null"],
    ["has a process for a file", "cat <(ls)"],
    ["leaves a loop from a subshell", "for i in 1; do (break); done"],
    ["has bytes for characters", "echo $'\\xc3'"],
    ["has a path to a command", "/bin/ls"],
    ["is long", `echo ${"a ".repeat(150_000)}`],
  ])("%s", (_name, line) => expect(directLine(parseLine(line), OWN, BUNDLED)).toBeUndefined());
});

describe("what is printed without a shell", () => {
  const files = {
    "/a.txt": "hi\n",
    "/src/x.ts": "x\n",
    "/b.bin": new Uint8Array([0xff, 10]),
    "/big": "x".repeat(3_000_000),
  };
  it.each([
    [
      "folders as they change",
      "pwd; cd src; pwd; cat x.ts; cd ..; pwd; cd /; pwd; cd workspace/src/..; pwd",
      "/workspace\n/workspace/src\nx\n/workspace\n/\n/workspace",
    ],
    ["no folder", "cd none && pwd", "bash: cd: none: No such file or directory\n[exit code 1]"],
    ["a file for a folder", "cd a.txt || pwd", "/workspace\n[stderr]\nbash: cd: a.txt: Not a directory"],
    [
      "a folder for a file",
      "cat src; head src; cat < src",
      /^cat: src: Is a directory\nhead: error reading 'src': Is a directory\nbash: src: Is a directory\n\[exit code 1\]$/,
    ],
    ["a folder for a file, to sed", "sed -n 1p src", "sed: read error on src: Is a directory\n[exit code 4]"],
    ["what is not UTF-8", "cat b.bin", "ÿ"],
    ["what is not UTF-8 beside what is", "printf 'é\\n'; cat b.bin", "é\nÿ"],
    [
      "a loop over files",
      'for f in src/*.ts a.txt; do n=$(wc -l < "$f"); echo "${f##*/}: $n"; done',
      "x.ts: 1\na.txt: 1",
    ],
    ["lines that are read", 'printf "a b\\nc d" | while read -r x y; do echo "$y$x"; done', "ba"],
    ["a here-document", "x=1\ncat <<EOF > new\n  $x $((x + 1)) \\$x\nEOF\ncat new", "  1 2 $x"],
    ["a function", 'f() { local a=$1; echo "$a$#"; return 3; }\nf x y || echo $? $a', "x2\n3"],
    ["what a subshell changes", "x=1; (x=2; cd src; echo $x); echo $x; pwd", "2\n1\n/workspace"],
    [
      "a pattern that is nowhere in a long text",
      'x=$(seq -s, 1 3000); x=${x//,*z/}; echo ${#x}; x=${x//1*5/}; echo "$x"',
      "13892\n,2996,2997,2998,2999,3000",
    ],
    ["variables that are empty", 'set -- "" b; echo $# ${x:-none} ${#x} "[$1]"', "2 none 0 []"],
    [
      "variables that are not there",
      "set -u; echo a; echo $none; echo b",
      "a\n[stderr]\nbash: none: unbound variable\n[exit code 127]",
    ],
    ["the end at an error", "set -e; false || echo a; ls none 2> /dev/null; echo b", "a\n[exit code 2]"],
    [
      "a division by zero, which ends its line",
      "echo $((1 / 0)); echo same\necho next $?",
      "next 1\n[stderr]\nbash: division by 0",
    ],
    [
      "a redirection that fails, which ends nothing",
      "for i in 1 2; do echo $i > none/$i; done; echo $?",
      "1\n[stderr]\nbash: none/1: No such file or directory\nbash: none/2: No such file or directory",
    ],
    ["a file that is written twice at once", "{ echo a; echo b > new; echo c; } > new; cat new", "b\nc"],
    [
      "commands of just-bash in a loop",
      'for d in p q; do mkdir -p "$d/r"; touch "$d/r/é x"; done; find p q -type f | sort',
      "p/r/é x\nq/r/é x",
    ],
    ["bytes of them", "printf hello | gzip | gzip -d; export X=1; env | grep ^X; sh -c 'echo $X'", "helloX=1\n1"],
    [
      "more than fits",
      "echo a; cat big; cat big; echo b",
      /^a\nx{30}[\s\S]*output size limit exceeded \(5242880 bytes\); do less in one command\n[\s\S]*\[exit code 126\]$/,
    ],
    [
      "the beginning of what has no end",
      "while :; do echo x; done | head -2; echo y",
      /^x\nx\n\[stderr\]\nbash: too many commands executed .*\n\[exit code 126\]$/,
    ],
    ["a home that is unset", "unset HOME; for i in a; do echo ~; done", "/home/user"],
    [
      "numbers of 64 bits",
      "x=9223372036854775807; echo $((x + 1)) $((x / 10))",
      "-9223372036854775808 922337203685477580",
    ],
    [
      "that a number is too large to be read",
      "echo $((9223372036854775807 + 1))",
      "bash: a number of more than 15 digits in an expression: put it into a variable, and calculate with that\n[exit code 1]",
    ],
    ["functions in expressions", "f() { echo 3; }; echo $(( $(f) + 1 ))", "4"],
    [
      "more than a pipe takes",
      "cat big big | sort | head -1",
      /^bash: output size limit exceeded .*\n\[exit code 126\]$/,
    ],
  ])("%s", (_name, command, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("bash", { command });
      if (typeof text === "string") expect(output.text).toBe(text);
      else expect(output.text).toMatch(text);
    }),
  );
});

describe("a line without a shell ends", () => {
  const files = { "/a.txt": "hi\n" };
  /** The file is read, slowly. */
  const slow = (
    ms: number,
    run: (
      call: (command: object, signal?: AbortSignal) => Promise<{ text: string; isError?: boolean }>,
    ) => Promise<void>,
  ): Promise<void> =>
    withTools(files, async ({ fs, again }) => {
      const { readFileBytes } = fs;
      fs.readFileBytes = async (path) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return readFileBytes.call(fs, path);
      };
      await run((input, signal) => again({ fs }).call("bash", input, signal));
    });

  it("at its timeout", () =>
    slow(700, async (call) => {
      const output = await call({ command: "echo first; cat a.txt; cat a.txt; echo last", timeout: 1 });
      expect(output.text).toMatch(/stopped after 1 s/);
      expect(output.text).not.toContain("last");
      expect(output.isError).toBe(true);
    }));

  it("on abort, with the reason", () =>
    slow(300, async (call) => {
      const stop = new AbortController();
      const running = call({ command: "cat a.txt; cat a.txt; cat a.txt" }, stop.signal);
      setTimeout(() => stop.abort(new Error("enough")), 100);
      await expect(running).rejects.toThrow("enough");
    }));

  it("where something must be asked for", () =>
    withTools(files, async ({ again }) => {
      const require = (): never => {
        throw new TenrecError("approval-required", { permission: "network", detail: "example.com" });
      };
      const egress = createEgress({ gate: { require }, fetch: async () => new Response("x") });
      const running = again({ egress }).call("bash", { command: "curl https://example.com/; echo after" });
      await expect(running).rejects.toMatchObject({ code: "approval-required" });
    }));
});
