import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { withTools } from "../../with-tools.ts";
import { randomFiles, randomText, type TextFiles, writeFolder } from "../with-random-trees.ts";
import { searchShell } from "../with-search-shell.ts";
import { runRg } from "./run-rg.ts";

const folder = mkdtempSync(join(tmpdir(), "tenrec-rg-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a run is made of: the same each time, or by chance where more runs are asked for. The name of each test has it. */
const SEED: number = Number(
  process.env["TENREC_SEED"] ?? (process.env["TENREC_RUNS"] ? Math.floor(Math.random() * 2 ** 31) : 1),
);
const RUNS: number = Number(process.env["TENREC_RUNS"] ?? 100);

const patterns = fc.constantFrom(
  ..."foo ^foo foo$ o+ \\bfoo\\b [A-Z]+ [^f]+ foo|bar (fo)(o) (?P<x>f)oo \\w+ . \\s a\\|b \\(x\\) foo.bar (?i)FOO é".split(
    " ",
  ),
);
const flags = fc.constantFrom(
  ...(
    "-i -w -v -x -n -c -o -l -F -S -s -a -U -m1 -m2 -A1 -B2 -C1 --hidden --no-ignore -u -uu -uuu --binary -b -H -I -N " +
    "--count-matches --files-without-match --column --heading --vimgrep --trim --null --include-zero -M8 -M8 --passthru " +
    "--max-columns-preview -rX -r[$0] -r$1$1 -r${x}y -r$$ --no-context-separator --context-separator=## --color=always " +
    "--field-match-separator=; --field-context-separator=~ --json -P --sortr=path -q --stop-on-nonmatch --crlf -tts -g*.ts"
  ).split(" "),
);
const targets = fc.option(fc.constantFrom("src", "src/", "./src", ".", "sub", "a.ts", "none"), {
  nil: undefined,
  freq: 3,
});
const commands = fc.tuple(patterns, fc.uniqueArray(flags, { maxLength: 3 }), targets);

interface Call {
  readonly pattern: string;
  readonly options: readonly string[];
  /** All options. */
  readonly all: string;
  readonly texts: readonly string[];
  /** What is searched. */
  readonly text: string;
}

const hasContext = ({ options }: Call): boolean => options.some((option) => /^-[ABC]/.test(option));

/** What ripgrep does that is not done here. */
const APART: Readonly<Record<string, (call: Call) => boolean>> = {
  "of a binary file that was named it says nothing with context, and where it sees that one is": (call) =>
    call.text.includes("\0") && (hasContext(call) || /-v|passthru|json|-U|-P|stop|without/.test(call.all)),
  "lines together for lookaround": ({ options }) => options.includes("-P") && options.includes("-U"),
  "colours where lines are cut or each match has its own": ({ all }) =>
    all.includes("--color") && /-M|-v|passthru|trim|column|vimgrep|-b|-o|-r|-U/.test(all),
  "messages about what is replaced, counted or chosen for not matching": ({ all }) =>
    all.includes("--json") && (all.includes("-r") || /-[clqo]|files|count|-U|stop|-v/.test(all)),
  "what is replaced in lines together": ({ all, options }) => /-r|--passthru/.test(all) && options.includes("-U"),
  "behind the last match that counts, those that do not count are marked as matches, too": (call) =>
    /-m/.test(call.all) && hasContext(call),
  "with --stop-on-nonmatch and -v it goes on behind the first line that is not to be shown": ({ all }) =>
    all.includes("--stop") && /-v/.test(all),
  "offsets of the lines of one match, and matches of lines together that count": ({ all, options }) =>
    options.includes("-U") && (/-m/.test(all) || (options.includes("-b") && options.includes("-o"))),
  "where a count stops": ({ all }) => all.includes("--stop") && /-c|-l|count|without|-r|--passthru/.test(all),
  "a plain text with a backslash": ({ pattern, options }) => pattern.includes("\\|") && options.includes("-F"),
};

function isApart(pattern: string, options: readonly string[], texts: readonly string[]): boolean {
  const call: Call = { pattern, options, all: options.join(" "), texts, text: texts.join("") };
  return Object.values(APART).some((is) => is(call));
}

/** Of the messages of `--json`, what there is here. */
function comparable(out: string, args: readonly string[]): string {
  if (!args.includes("--json")) return out;
  const messages = out
    .split("\n")
    .filter(Boolean)
    .map((row) => JSON.parse(row) as { type: string; data: { stats?: unknown } });
  return messages
    .filter(({ type }) => type !== "summary")
    .map(({ type, data }) => JSON.stringify([type, { ...data, stats: undefined }]))
    .join("\n");
}

async function compare(files: TextFiles, args: readonly string[], stdin?: string): Promise<void> {
  const root = writeFolder(folder, files);
  // A file that is mapped into memory has a NUL end no line, and one that is read has.
  const real = spawnSync(rgPath, ["--no-config", "--no-mmap", "--sort=path", ...args], {
    cwd: root,
    encoding: "utf8",
    ...(stdin === undefined ? { stdio: ["ignore", "pipe", "pipe"] } : { input: stdin }),
  });
  await withTools(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${path}`, text])),
    async ({ fs }) => {
      const got = await runRg(args, searchShell(fs, "", stdin));
      const shown = (out: string, exit: number | null) => ({ args, exit, stdout: comparable(out, args) });
      expect(shown(got.stdout, got.exitCode)).toEqual(shown(real.stdout, real.status));
    },
  );
  rmSync(root, { recursive: true, force: true });
}

describe(`ripgrep itself (TENREC_SEED=${SEED})`, () => {
  test(
    "prints the same for any tree and command, and exits alike",
    () =>
      fc.assert(
        fc.asyncProperty(randomFiles, commands, async (files, [pattern, options, target]) => {
          if (isApart(pattern, options, Object.values(files))) return;
          await compare(files, [...options, "-e", pattern, ...(target === undefined ? [] : [target])]);
        }),
        { numRuns: RUNS, seed: SEED },
      ),
    120_000,
  );

  test(
    "and for what is piped to it",
    () =>
      fc.assert(
        fc.asyncProperty(randomText, commands, async (text, [pattern, options]) => {
          if (text === "" || isApart(pattern, options, [text])) return;
          await compare({ "a.ts": "" }, [...options, "-e", pattern], text);
        }),
        { numRuns: Math.ceil(RUNS / 3), seed: SEED },
      ),
    120_000,
  );
});
