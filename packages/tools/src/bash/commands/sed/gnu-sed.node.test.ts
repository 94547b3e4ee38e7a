import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withTools } from "../../../with-tools.ts";
import { BASIC_SCRIPTS, EXTENDED_SCRIPTS } from "./with-sed-scripts.ts";

const isGnu = /GNU sed/.test(spawnSync("sed", ["--version"], { encoding: "utf8" }).stdout ?? "");

const TEXTS = [
  "a\nb\nc\n",
  "foo bar\nend\n\nfoo 123456 x.y  z \n#c\nfooo aab abab c\nno end",
  '  HELLO wOrld\t\\ "q" a/b [x] $x ${x} *s\ncamelCase snake_case héllo\nstart\nin\nend\n',
];
const OTHER = "r1\nr2";

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly file: string;
}

function real(args: readonly string[], text: string): Outcome {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-sed-"));
  try {
    writeFileSync(join(folder, "in"), text);
    writeFileSync(join(folder, "f1"), OTHER);
    const options = { cwd: folder, encoding: "utf8", env: { LC_ALL: "C.UTF-8", PATH: process.env["PATH"] } } as const;
    const { stdout, status } = spawnSync("sed", [...args, "in"], options);
    return { code: status ?? -1, stdout, file: readFileSync(join(folder, "in"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ours(args: readonly string[], text: string): Promise<Outcome> {
  return withTools({ "/in": text, "/f1": OTHER }, async ({ call, fs }) => {
    const words = [...args, "in"].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const { data } = await call("bash", { command: `sed ${words.join(" ")} > stdout` });
    const { exitCode } = data as { exitCode: number };
    return { code: exitCode, stdout: await fs.readFile("/stdout"), file: await fs.readFile("/in") };
  });
}

describe.skipIf(!isGnu)("sed beside GNU's", () => {
  test.each(BASIC_SCRIPTS)("%j", async (script) => {
    for (const text of TEXTS)
      for (const options of [[], ["-n"], ["-i"]]) {
        const args = [...options, "-e", script];
        expect({ args, ...(await ours(args, text)) }).toEqual({ args, ...real(args, text) });
      }
  });

  test.each(EXTENDED_SCRIPTS)("-E %j", async (script) => {
    for (const text of TEXTS) {
      const args = ["-E", script];
      expect({ args, ...(await ours(args, text)) }).toEqual({ args, ...real(args, text) });
    }
  });

  test.each([
    ["-n", "--expression=1p", "-e", "2p"],
    ["--quiet", "--regexp-extended", "s/(a)/[\\1]/p"],
    ["-ni.bak", "1p"],
    ["--in-place=.orig", "s/a/b/"],
    ["-Ei", "s/(o)+/0/g"],
    ["-z", "s/\\n/,/g"],
    ["-sn", "$="],
    ["-f", "f1"],
    ["-f", "nope"],
    ["--nope"],
    ["-y"],
    [],
    ["-l", "12", "-n", "l"],
    ["--debugs", "p"],
    ["-e", "a\\", "-e", "text"],
    ["-e", "/a/{", "-e", "n", "-e", "d", "-e", "}"],
    ["s/a/A/", "nope"],
    ["s/a/A/", "."],
    ["-i", "s/a/A/", "."],
    ["-s", "F;1d", "f1"],
    ["p", "--", "f1"],
  ])("%j", async (...args) => {
    for (const text of TEXTS) expect(await ours(args, text)).toEqual(real(args, text));
  });
});
