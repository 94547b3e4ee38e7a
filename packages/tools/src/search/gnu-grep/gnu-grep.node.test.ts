import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { withTools } from "../../with-tools.ts";
import { randomFiles, randomText, type TextFiles, writeFolder } from "../with-random-trees.ts";
import { searchShell } from "../with-search-shell.ts";
import { runGrep } from "./run-grep.ts";

const folder = mkdtempSync(join(tmpdir(), "tenrec-grep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a run is made of: the same each time, or by chance where more runs are asked for. The name of each test has it. */
const SEED: number = Number(
  process.env["TENREC_SEED"] ?? (process.env["TENREC_RUNS"] ? Math.floor(Math.random() * 2 ** 31) : 1),
);
const RUNS: number = Number(process.env["TENREC_RUNS"] ?? 100);

const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" };
const isGnu = spawnSync("grep", ["--version"], { encoding: "utf8" }).stdout?.startsWith("grep (GNU grep)") ?? false;

const SYNTAXES: Readonly<Record<string, readonly string[]>> = {
  "-G": String.raw`foo ^foo foo$ fo* fo\+ fo\? foo\|bar \(fo\)\1 \(o\)\1 a|b a\|b [[:upper:]] [^f]o \bfoo\b \<foo o\> f\{1\}o\{2\} *foo \(*foo\) ^*foo a^b (x) \w\w* [a-f]o . "" foo\.bar []x] x\{0,1\}foo é`.split(
    " ",
  ),
  "-E": String.raw`foo ^foo|bar$ fo+ (fo)+o? (foo|foobar) (o)\1 a\|b [[:upper:]]+ [^[:lower:]]+ \bfoo\b \<foo o{2} o{1,} o{,1}f fo{2 a{ \(x\) \w+ . () (f|fo)(o|oo)? (x|) foo\.bar FO+ É`.split(
    " ",
  ),
  "-F": ["foo", "a|b", "(x)", "foo.bar", ".", "\\", "foo\nbar", ""],
  "-P": String.raw`foo (?<=f)oo foo(?=bar) foo(?!bar) (o)\1 \bfoo\b f\Koo [A-Z]+? (?i)foo \d+ \w+(?<!o) (?:foo|bar)+ o++ \x66oo \Qa|b\E [[:upper:]] \s`.split(
    " ",
  ),
};
const cases = fc
  .constantFrom(...Object.keys(SYNTAXES))
  .chain((syntax) => fc.tuple(fc.constant(syntax), fc.constantFrom(...(SYNTAXES[syntax] ?? []))));

const flags = fc.constantFrom(
  ...(
    "-i -v -w -x -n -c -l -L -o -H -h -s -q -b -m1 -m2 -A1 -B1 -C1 -1 -a -I -Z -z --color=always --include=*.ts " +
    "--exclude=*.md --exclude-dir=src --no-group-separator --group-separator=## --null --binary-files=text --label=in"
  ).split(" "),
);
const operands = fc.constantFrom<readonly string[]>(
  ["-r"],
  ["-r", "."],
  ["-r", "src"],
  ["-r", "sub/"],
  ["-R", "./src"],
  ["a.ts"],
  ["a.ts", "b.js"],
  ["src"],
  ["none", "a.ts"],
);

interface Call {
  readonly syntax: string;
  readonly pattern: string;
  /** Options and operands. */
  readonly all: string;
  /** What is searched. */
  readonly text: string;
}

/** What GNU grep does that is not done here. */
const APART: Readonly<Record<string, (call: Call) => boolean>> = {
  "where it looks at bytes to know what is binary, and what it shows before it knows": ({ text, all }) =>
    text.includes("\0") && /-[vVoIacLz]|context|-[ABC1]|color|binary/.test(all),
  "colours of context, and of lines that do not match": ({ all }) =>
    all.includes("color") && /-[vzoABC1wx]|group/.test(all),
  "shorter matches are tried when the longest is no word": ({ syntax, all }) => /-w/.test(all) && syntax !== "-F",
  "with -o, groups are separated that there are none of": ({ all }) => /-o/.test(all) && /-[ABC1]/.test(all),
  "offsets of lines that end with NUL, and their order": ({ all, syntax }) =>
    /-z/.test(all) && /-[bP]|-r/.test(`${all} ${syntax}`),
  "until version 3.9 what is a word for -P was of ASCII": ({ syntax, text, pattern, all }) =>
    syntax === "-P" && /[éÉ]/.test(text) && (/\\[wbds]|\[\[|\(\?i/.test(pattern) || /-[iw]/.test(all)),
  "it ends at once when no line can be chosen": ({ pattern, all }) => pattern === "" && /-v/.test(all),
  "a directory counts as a file without a match": ({ all }) => /-[Lc].* src$/.test(all) && !/-[rR]/.test(all),
  "a whole line whose start is moved": ({ syntax, pattern, all }) =>
    syntax === "-P" && /-x/.test(all) && pattern.includes("\\K"),
};

function isApart(call: Call): boolean {
  return Object.values(APART).some((is) => is(call));
}

/** GNU grep does not sort. */
function sorted(out: string, args: readonly string[]): string {
  const end =
    args.includes("-z") || ((args.includes("-Z") || args.includes("--null")) && args.includes("-l")) ? "\0" : "\n";
  return out.split(end).toSorted().join(end);
}

async function compare(files: TextFiles, args: readonly string[], stdin: string): Promise<void> {
  const root = writeFolder(folder, files);
  rmSync(join(root, ".git"), { recursive: true });
  const real = spawnSync("grep", args, { cwd: root, encoding: "utf8", env, input: stdin });
  const tree = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${path}`, text]));
  await withTools(tree, async ({ fs }) => {
    const got = await runGrep(args, searchShell(fs, "", stdin));
    const shown = (stdout: string, stderr: string, exit: number | null) => ({
      args,
      exit,
      stdout: sorted(stdout, args),
      stderr: stderr
        .replaceAll(/grep: warning: .*\n/g, "")
        .split("\n")
        .toSorted()
        .join("\n"),
    });
    expect(shown(got.stdout, got.stderr, got.exitCode)).toEqual(shown(real.stdout, real.stderr, real.status));
  });
  rmSync(root, { recursive: true, force: true });
}

describe.skipIf(!isGnu)(`GNU grep itself (TENREC_SEED=${SEED})`, () => {
  test(
    "prints the same lines for any tree and command, and exits alike",
    () =>
      fc.assert(
        fc.asyncProperty(
          randomFiles,
          cases,
          fc.uniqueArray(flags, { maxLength: 3 }),
          operands,
          async (files, [syntax, pattern], options, where) => {
            const all = [...options, ...where].join(" ");
            if (isApart({ syntax, pattern, all, text: Object.values(files).join("") })) return;
            // Groups of several files may stand in any order.
            if (where[0]?.startsWith("-") && /-[ABC1]/.test(all)) return;
            await compare(files, [syntax, ...options, "-e", pattern, ...where], "");
          },
        ),
        { numRuns: RUNS, seed: SEED },
      ),
    120_000,
  );

  test(
    "and for what is piped to it",
    () =>
      fc.assert(
        fc.asyncProperty(
          randomText,
          cases,
          fc.uniqueArray(flags, { maxLength: 3 }),
          async (text, [syntax, pattern], options) => {
            if (isApart({ syntax, pattern, all: options.join(" "), text })) return;
            await compare({ "a.ts": "" }, [syntax, ...options, "-e", pattern], text);
          },
        ),
        { numRuns: RUNS, seed: SEED },
      ),
    120_000,
  );
});
