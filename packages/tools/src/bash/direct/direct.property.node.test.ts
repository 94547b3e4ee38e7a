import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { cat } from "../commands/cat.ts";
import { echo } from "../commands/echo.ts";
import { head } from "../commands/head.ts";
import { ls } from "../commands/ls.ts";
import { sed } from "../commands/sed/sed.ts";
import { sort } from "../commands/sort.ts";
import { tr } from "../commands/tr.ts";
import { wc } from "../commands/wc.ts";
import { parseLine } from "../parse-line.ts";
import { ourBash } from "../scripts/with-our-bash.ts";
import { realBash, type ScriptResult } from "../scripts/with-real-bash.ts";
import { directLine } from "./direct-line.ts";
import { script as anyScript } from "./with-scripts.ts";

const FILES = {
  "/a.txt": "one\ntwo\nthree\n",
  "/no-end.txt": "é ✓\n\nlast",
  "/empty.txt": "",
  "/crlf.txt": "b\r\na\r\n\r\n",
  "/d/e/f.txt": "x'y\"z\n",
};

const OWN = [cat, echo, head, tr, ls, sed, sort, wc];

const there = fc
  .constantFrom("a.txt", "no-end.txt", "empty.txt", "crlf.txt", "d/e/f.txt")
  .map((path) => `/workspace/${path}`);
const file = fc.oneof(there, fc.constantFrom("a.txt", "./d/e/f.txt", "none", "/dev/null", "-"));
// One problem at most: where among what is printed it is told is known only to a real one.
const files = fc.oneof(
  file,
  fc.array(fc.oneof(there, fc.constant("-")), { maxLength: 3 }).map((some) => some.join(" ")),
);
const number = fc.constantFrom("-1", "-n 2", "-n1", "-n 12");
const text = fc.string({
  unit: fc.constantFrom(...'abXY01 \t*?[]{}~#=:,.;|&<>()!"\\é✓-/%@^+'.split("")),
  maxLength: 6,
});
const quoted = fc.oneof(
  text.map((inner) => `'${inner}'`),
  text.map((inner) => `"${inner.replace(/["\\]/g, "\\$&")}"`),
  text.map((inner) => inner.replace(/[^a-zA-Z0-9é✓]/g, (char) => (char === "\t" ? "" : `\\${char}`))),
  text.map((inner) => `$'${inner.replace(/\\/g, "\\\\")}\\n'`),
);
const words = fc.array(quoted, { maxLength: 3 }).map((some) => some.join(" "));
const escapes = fc
  .array(
    fc.constantFrom(
      ..."\\n \\t \\0 \\08 \\0101 \\303\\251 \\x \\x41b \\xc3\\xa9 \\u00e9 \\u \\U0001F600 \\e \\q \\\\ \\c a".split(
        " ",
      ),
    ),
    {
      maxLength: 4,
    },
  )
  .map((some) => `'${some.join("")}'`);
const set = fc.constantFrom("a-z", "A-Z", "'\\n'", "' '", "xyz", "0-9", "'\\t\\\\'", "e", "aa");

const command = fc.oneof(
  files.map((some) => `cat ${some}`),
  fc.tuple(fc.constantFrom("head", "tail"), number, file).map((parts) => parts.join(" ")),
  fc.constantFrom("head", "tail", "wc -l", "sort", "sort -r", "true", "wc -c", "ls", "ls d"),
  fc
    .tuple(fc.constantFrom("1p", "2,3p", "'2,$p'", "3,1p", "9p"), file)
    .map(([script, from]) => `sed -n ${script} ${from}`),
  fc
    .tuple(fc.constantFrom("", "-e", "-n", "-ne", "-n -e", "-E", "-neE", "-"), words, escapes)
    .map((parts) => `echo ${parts.join(" ")}`),
  words.map((some) => `printf '%s|%%\\n' ${some}`),
  words.map((some) => `printf 'a\\tb\\\\' ${some}`),
  fc.tuple(set, set).map(([from, to]) => `tr ${from} ${to}`),
  set.map((from) => `tr -d ${from}`),
);
const redirected = fc
  .tuple(
    command,
    fc.constantFrom(
      "",
      "",
      "",
      " 2>/dev/null",
      " >/dev/null",
      " &>/dev/null",
      " 2>&1",
      " >&2",
      " < a.txt",
      " < none",
      " 2>&1 >/dev/null",
    ),
  )
  .map((parts) => parts.join(""));
const pipeline = fc.array(redirected, { minLength: 1, maxLength: 4 }).map((some) => some.join(" | "));
const step = fc.oneof(
  { weight: 4, arbitrary: pipeline },
  fc.constantFrom("cd d", "cd d/e", "cd d/e/..", "cd none", "cd a.txt", "cd /workspace", "cd d/../d"),
);
const line = fc
  .array(fc.tuple(step, fc.constantFrom("; ", " && ", " || ", "\n")), { minLength: 1, maxLength: 5 })
  .map((steps) => steps.flat().slice(0, -1).join(""));

/** What the shell says of its failures is not the same in all, and where it is not, each has the line's number or not. */
const withoutLines = ({ stdout, exitCode, files }: ScriptResult): unknown => {
  const text = (said: string): string => said.replace(/(bash|environment): line \d+: /g, "bash: ");
  return {
    stdout: text(stdout),
    exitCode,
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, text(content)])),
  };
};

const { TENREC_RUNS, TENREC_SEED } = process.env;
/** The same lines each time, unless more are asked for: what is found by chance is then nobody else's change. */
const RUNS = {
  numRuns: Number(TENREC_RUNS ?? 150),
  ...(TENREC_RUNS === undefined || TENREC_SEED !== undefined ? { seed: Number(TENREC_SEED ?? 1) } : {}),
};
const isThere = spawnSync("bash", ["--version"]).status === 0;

describe("a line that runs without just-bash", () => {
  test.skipIf(!isThere)("does what it does in a real one", { timeout: 600_000 }, async () => {
    using real = await realBash(new Map(Object.entries(FILES)), "git init -q");
    const ours = await ourBash(real.files, {});
    await fc.assert(
      fc.asyncProperty(line, async (script) => {
        expect(directLine(parseLine(script), OWN)).toBeDefined();
        const [got, wanted] = [await ours(script), await real.run(script)];
        expect({ stdout: got.stdout, exitCode: got.exitCode }).toEqual({
          stdout: wanted.stdout,
          exitCode: wanted.exitCode,
        });
      }),
      RUNS,
    );
  });

  test.skipIf(!isThere)("does so with all that is expanded and repeated", { timeout: 3_000_000 }, async () => {
    using real = await realBash(new Map(Object.entries(FILES)), "git init -q");
    const ours = await ourBash(real.files, {});
    await fc.assert(
      fc.asyncProperty(anyScript, async (script) => {
        // Some are left to just-bash, which is held to bash elsewhere.
        if (!directLine(parseLine(script), OWN)) return;
        expect(withoutLines(await ours(script))).toEqual(withoutLines(await real.run(script)));
      }),
      RUNS,
    );
  });
});
