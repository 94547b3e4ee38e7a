import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { createSearch } from "./create-search.ts";
import { fileTypes } from "./glob/file-types.ts";
import { runRipgrep } from "./with-ripgrep-output.ts";

const folder = mkdtempSync(join(tmpdir(), "tenrec-search-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a run is made of: the same each time, or by chance where more runs are asked for. The name of each test has it. */
const SEED: number = Number(
  process.env["TENREC_SEED"] ?? (process.env["TENREC_RUNS"] ? Math.floor(Math.random() * 2 ** 31) : 1),
);
const RUNS: number = Number(process.env["TENREC_RUNS"] ?? 150);

const names = fc.constantFrom("a.ts", "b.js", "c.log", ".env", "README.md", "Foo.TS", "d");
const folders = fc.constantFrom("src", "build", ".hidden", "sub", "src/deep", "sub/build");
const paths = fc.tuple(fc.option(folders, { nil: "" }), names).map(([above, name]) => join(above, name));

const piece = fc.constantFrom("foo", "Foo", "FOO", "bar", " ", "é", "É", "_", "1", "-", "\t", "foo.bar", "k", "\u212a");
const line = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const ending = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", "\0\n", "");
const content = fc
  .array(fc.tuple(line, ending), { maxLength: 12 })
  .map((lines) => lines.map(([text, end]) => text + (end === "" ? "\n" : end)).join(""))
  .chain((text) => fc.constantFrom(text, text.replace(/\n$/, ""), `\ufeff${text}`));

const rule = fc.constantFrom(
  ..."*.log build build/ /src !a.ts *.js !*.js /*.md src/** **/deep .* !.env d /d/ sub/* !sub/build ".trim().split(" "),
  ..."*.{ts,md} [ab].* !/a.ts deep/a.ts # a\\ b **/build/** src/*/a.ts ** * [".trim().split(" "),
);
const ignoreFile = fc.tuple(
  fc.option(folders, { nil: "" }).map((above) => above),
  fc.constantFrom(".gitignore", ".ignore", ".rgignore"),
  fc.array(rule, { maxLength: 4 }).map((rules) => rules.join("\n")),
);

const tree = fc
  .tuple(fc.dictionary(paths, content, { maxKeys: 9 }), fc.array(ignoreFile, { maxLength: 4 }))
  .map(([files, ignores]) => ({
    ...files,
    ...Object.fromEntries(ignores.map(([above, name, rules]) => [join(above, name), rules])),
  }));

const sources = "foo ^foo foo$ o+ \\bfoo\\b [A-Z]+ [^f] foo|bar \\w+é . k \\s foo.bar ^$ (?i)FOO".split(" ");
const pattern = fc.constantFrom("", ...sources);
const flags =
  "-i -w -v -x -n -c -o -l -F -S -a -U -m1 -m2 -A1 -B2 -C1 --crlf --hidden --no-ignore -u -uu --count-matches --files " +
  "--files-without-match --no-ignore-vcs --no-ignore-dot --no-ignore-parent --column --heading -tts -Tjs --max-depth=1 " +
  "-g*.ts -g!src -gsrc/** -g/src/*.js --iglob=*.ts --max-filesize=20";
const option = fc.constantFrom(...flags.split(" "));
/** Of these, the last one says what is done; only a list of files needs no pattern. */
const MODE = /^(?:-[cl]|--count-matches|--files|--files-without-match)$/;
const target = fc.option(fc.constantFrom("src", "sub", "a.ts", ".env", "src/deep"), { nil: undefined, freq: 4 });
const command = fc.tuple(pattern, fc.uniqueArray(option, { maxLength: 3 }), target);

/** What the two print differently on purpose. The text is that of the files that were named. */
function differs(wanted: string, options: readonly string[], text: string): boolean {
  const has = (...starts: string[]): boolean => starts.every((start) => options.some((flag) => flag.startsWith(start)));
  const hasContext = ["-A", "-B", "-C"].some((flag) => has(flag));
  // With context lines ripgrep says nothing of a binary file that was named, as all are to `-uuu`.
  if (hasContext && text.includes("\0")) return true;
  // Behind the last match that counts, it marks as matches what would be some.
  if (hasContext && has("-m")) return true;
  // It finds empty matches between the bytes of a character.
  if (wanted === "" && (has("-o") || has("--count-matches"))) return true;
  // Of a match that is a line end alone it prints no part.
  return has("-o", "-U") && ["[^f]", "\\s"].includes(wanted);
}

function writeTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(folder, "tree-"));
  // Ripgrep reads `.gitignore` in a repository only.
  mkdirSync(join(root, ".git"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe(`ripgrep itself (TENREC_SEED=${SEED})`, () => {
  test(
    "prints the same for any tree and command",
    () =>
      fc.assert(
        fc.asyncProperty(tree, fc.array(command, { minLength: 1, maxLength: 4 }), async (files, commands) => {
          const root = writeTree(files);
          await withStorage(async (storage) => {
            const store = new TreeStore(storage);
            const fs = store.overlay(store.emptyTree);
            for (const [path, text] of Object.entries(files)) {
              await fs.mkdir(`/${dirname(path)}`, { recursive: true });
              await fs.writeFile(`/${path}`, text);
            }
            for (const [wanted, options, operand] of commands) {
              const named = operand === undefined ? "" : (files[operand] ?? "");
              // A lone carriage return at the end is the end of a line to its `--crlf`, with an empty one behind.
              if (options.includes("--crlf") && Object.values(files).some((text) => text.endsWith("\r"))) continue;
              const isUnrestricted = options.includes("-u") && options.includes("-uu");
              if (differs(wanted, options, isUnrestricted ? Object.values(files).join("\n") : named)) continue;
              const args = [
                ...options,
                ...(options.findLast((text) => MODE.test(text)) === "--files" ? [] : ["-e", wanted]),
                ...(operand ? [operand] : []),
              ];
              const real = spawnSync(rgPath, ["--no-config", "--no-mmap", "--sort=path", ...args], {
                cwd: root,
                encoding: "utf8",
                stdio: ["ignore", "pipe", "pipe"],
              });
              const got = await runRipgrep(fs, createSearch(fs), args, "");
              if (typeof got === "string") throw new Error(`there is no option ${got}`);
              // With `--crlf` it writes a carriage return behind a last line that has no end.
              const text = (out: string): string => (args.includes("--crlf") ? out.replaceAll("\r\n", "\n") : out);
              expect({ args, stdout: text(got.stdout) }).toEqual({ args, stdout: text(real.stdout) });
            }
          });
          rmSync(root, { recursive: true, force: true });
        }),
        { numRuns: RUNS, seed: SEED },
      ),
    60_000,
  );

  test("has these types of files", () => {
    const real = new Map(
      spawnSync(rgPath, ["--type-list"], { encoding: "utf8" })
        .stdout.trim()
        .split("\n")
        .map((row) => row.split(": ") as [string, string]),
    );
    for (const [name, globs] of fileTypes()) expect([name, real.get(name)]).toEqual([name, globs.join(", ")]);
  });
});
