import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { createSearch } from "./create-search.ts";
import { ignoreVerdict, parseIgnoreFile } from "./glob/ignore-rules.ts";
import { globTest } from "./glob/glob-test.ts";
import differences from "./known-differences.json" with { type: "json" };
import { parseRipgrepArguments, type RipgrepCall } from "./with-ripgrep-arguments.ts";
import { runRipgrep } from "./with-ripgrep-output.ts";

// Tables of cases of other projects, which are not copied here.
const folder = process.env["TENREC_CASES"];

/** Most of a table that may be a known difference. */
const MOST_DIFFERENCES = 0.03;

interface Case {
  readonly id: string;
  /** It is about something that there is not here. */
  readonly isOutside?: boolean;
  run(): Outcome | Promise<Outcome>;
}

interface Outcome {
  readonly got: unknown;
  readonly wanted: unknown;
}

type TableName = keyof typeof differences.tables;

function table<T>(name: TableName, toCases: (rows: T[]) => Case[]): void {
  const { size } = differences.tables[name];
  const known: readonly { readonly id: string; readonly reason: string }[] = differences.tables[name].known;
  const isKnown = (id: string): boolean => known.some((difference) => difference.id === id);
  const nothing = { got: undefined, wanted: undefined };
  const absent = Array.from({ length: size }, (_, at) => ({
    id: `case ${at + 1} of ${size}: TENREC_CASES is not set`,
    isOutside: true,
    run: () => nothing,
  }));
  const cases: Case[] = folder
    ? toCases(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as T[])
    : absent;
  describe(`the table ${name}`, () => {
    test(`at most ${MOST_DIFFERENCES * 100} % are known differences`, () => {
      expect(known.length).toBeLessThanOrEqual(size * MOST_DIFFERENCES);
    });
    for (const row of cases) {
      test.skipIf(row.isOutside)(`${row.id}`, async () => {
        const { got, wanted } = await row.run();
        // A known difference that is none any more has to leave the list.
        if (isKnown(row.id)) expect(got).not.toEqual(wanted);
        else expect(got).toEqual(wanted);
      });
    }
  });
}

type IgnoreRow = [
  verdict: "ignored" | "not_ignored",
  id: string,
  root: string,
  text: string,
  path: string,
  dir?: string,
];

table<IgnoreRow>("gitignore-ripgrep", (rows) =>
  rows.map(([verdict, id, , text, path, directory]) => ({
    id,
    run: () => ({
      got: isIgnored(text, path.replace(/^\.\//, ""), directory === "true"),
      wanted: verdict === "ignored",
    }),
  })),
);

interface FixtureRow {
  readonly name: string;
  readonly patterns: readonly (string | { readonly pattern: string })[];
  readonly paths: Readonly<Record<string, 0 | 1>>;
  /** Methods of that package that the row is for; `false` when it is for all. */
  readonly scopes: false | readonly string[];
}

table<FixtureRow>("gitignore-node", (rows) =>
  rows.map(({ name, patterns, paths, scopes }) => ({
    id: name,
    isOutside: scopes !== false,
    run: () => {
      const text = patterns.map((pattern) => (typeof pattern === "string" ? pattern : pattern.pattern)).join("\n");
      const got = Object.keys(paths).map((path) => [path, isIgnoredBelow(text, path) ? 1 : 0]);
      return { got: Object.fromEntries(got), wanted: paths };
    },
  })),
);

type GlobRow = [verdict: "matches" | "nmatches", id: string, glob: string, path: string, ...options: string[]];

table<GlobRow>("glob-ripgrep", (rows) =>
  rows.map(([verdict, id, glob, path, ...options]) => ({
    id,
    run: () => {
      const matches = globTest(glob, {
        ignoreCase: options.includes("CASEI"),
        crossSlash: !options.includes("SLASHLIT"),
        plainBackslash: options.includes("NOBSESC"),
      });
      return { got: matches(path), wanted: verdict === "matches" };
    },
  })),
);

interface CommandRow {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly dirs: readonly string[];
  readonly steps: readonly {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly stdout?: string;
    readonly sort?: boolean;
    readonly fails?: boolean;
    readonly exit?: number;
  }[];
}

table<CommandRow>("ripgrep-cli", (rows) =>
  rows.map(({ id, files, dirs, steps }) => ({
    id,
    isOutside:
      !Object.keys(files).every(isKept) || steps.some(({ args }) => isOutsideOption(parseRipgrepArguments(args))),
    run: () =>
      withStorage(async (storage) => {
        const store = new TreeStore(storage);
        const fs = store.overlay(store.emptyTree);
        // There is no `.git` in a tree; its ignore files count as those of a repository do.
        for (const path of dirs.filter(isKept)) await fs.mkdir(`/${path}`, { recursive: true });
        for (const [path, text] of Object.entries(files)) await fs.writeFile(`/${path}`, text);
        const outcome = { got: [] as unknown[], wanted: [] as unknown[] };
        for (const { args, cwd, stdout, sort, fails, exit } of steps) {
          const got = await runRipgrep(fs, createSearch(fs), args, cwd);
          if (typeof got === "string") throw new Error(`there is no option ${got}`);
          const lines = (text: string): string => (sort ? text.split("\n").toSorted().join("\n") : text);
          const isExpected = exit === undefined ? (got.exit !== 0) === (fails ?? got.exit !== 0) : got.exit === exit;
          outcome.got.push({ args, isExpected, stdout: stdout === undefined ? undefined : lines(got.stdout) });
          outcome.wanted.push({ args, isExpected: true, stdout: stdout === undefined ? undefined : lines(stdout) });
        }
        return outcome;
      }),
  })),
);

/** There is no `.git` in a tree, so what needs a file of one is no case for it. */
function isKept(path: string): boolean {
  return !path.split("/").includes(".git");
}

function isOutsideOption(call: RipgrepCall | string): boolean {
  return typeof call === "string" && differences.outsideOptions.some(({ options }) => options.includes(call));
}

function isIgnored(text: string, path: string, isDirectory: boolean): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return ignoreVerdict([[parseIgnoreFile("/", text)]], `/${path}`, name, isDirectory) === "ignore";
}

/** As a walk from the root would find it: nothing below an ignored directory is looked at. */
function isIgnoredBelow(text: string, path: string): boolean {
  const isDirectory = path.endsWith("/");
  const names = path.split("/").filter((name) => name !== "");
  return names.some((_, at) => isIgnored(text, names.slice(0, at + 1).join("/"), isDirectory || at < names.length - 1));
}
