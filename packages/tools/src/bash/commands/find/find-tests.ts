import type { FsStat } from "just-bash/browser";
import { globMatch } from "../glob-match.ts";
import { UsageError } from "../parse-options.ts";
import type { Entry, Kind, Test } from "./find-run.ts";

type MakeTest = (value: string, word: string) => Test;

export const PLAIN_TESTS: Readonly<Record<string, Test>> = {
  "-true": () => true,
  "-false": () => false,
  "-empty": isEmpty,
  "-readable": () => true,
  "-writable": () => true,
  "-executable": withStat(({ mode, isDirectory }) => isDirectory || (mode & 0o111) !== 0),
  "-nouser": () => false,
  "-nogroup": () => false,
};

const isNamed: MakeTest = (glob) => (entry) => globMatch(glob, entry.name);
const isAt: MakeTest = (glob) => (entry) => globMatch(glob, entry.path);
const folded =
  (of: (entry: Entry) => string): MakeTest =>
  (glob) => {
    const lower = glob.toLowerCase();
    return (entry) => globMatch(lower, of(entry).toLowerCase());
  };

export const VALUE_TESTS: Readonly<Record<string, MakeTest>> = {
  "-name": isNamed,
  "-iname": folded(({ name }) => name),
  "-path": isAt,
  "-wholename": isAt,
  "-ipath": folded(({ path }) => path),
  "-iwholename": folded(({ path }) => path),
  "-lname":
    (glob) =>
    async (entry, { context }) =>
      entry.kind === "symlink" && globMatch(glob, await context.fs.readlink(entry.absolute)),
  "-type": (value) => {
    const kinds = kindsOf(value);
    return ({ kind }) => kinds.includes(kind);
  },
  "-xtype": (value) => {
    const kinds = kindsOf(value);
    return async ({ absolute }, { context }) => {
      const stat = await context.fs.stat(absolute).catch(() => undefined);
      return kinds.includes(stat ? kindOf(stat) : "symlink");
    };
  },
  "-size": isOfSize,
  "-perm": hasMode,
  "-links": (value, word) => {
    const fits = comparison(value, word);
    return ({ kind }) => fits(kind === "directory" ? 2 : 1);
  },
  "-user": isOwner,
  "-group": isOwner,
  "-uid": isOwner,
  "-gid": isOwner,
  "-samefile":
    (value) =>
    async (entry, { context }) =>
      (await context.fs.realpath(context.resolve(value))) === (await context.fs.realpath(entry.absolute)),
  "-newer": isNewer,
  "-anewer": isNewer,
  "-cnewer": isNewer,
  "-newermt": (value) => {
    let seconds: number | undefined;
    return async (entry, { context }) => {
      if (seconds === undefined) {
        const { stdout, exitCode } = await context.exec(["date", "-d", value, "+%s"]);
        if (exitCode) throw new UsageError(`I cannot figure out how to interpret '${value}' as a date or time`);
        seconds = Number(typeof stdout === "string" ? stdout : new TextDecoder().decode(stdout));
      }
      return secondsOf(await entry.stat()) > seconds;
    };
  },
  "-mtime": isOfAge(86_400),
  "-atime": isOfAge(86_400),
  "-ctime": isOfAge(86_400),
  "-mmin": isOfAge(60),
  "-amin": isOfAge(60),
  "-cmin": isOfAge(60),
};

export function kindOf({ isDirectory, isSymbolicLink }: FsStat | KindFlags): Kind {
  if (isSymbolicLink) return "symlink";
  return isDirectory ? "directory" : "file";
}

interface KindFlags {
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
}

/** A folder has the size of one on a disk. */
export function sizeOf({ isDirectory, size }: FsStat): number {
  return isDirectory ? 4096 : size;
}

export function secondsOf({ mtime }: FsStat): number {
  return mtime.getTime() / 1000;
}

function withStat(test: (stat: FsStat) => boolean): Test {
  return async (entry) => test(await entry.stat());
}

async function isEmpty(entry: Entry, { context }: Parameters<Test>[1]): Promise<boolean> {
  if (entry.kind === "directory") return (await context.fs.readdir(entry.absolute)).length === 0;
  return entry.kind === "file" && (await entry.stat()).size === 0;
}

const KINDS: Readonly<Record<string, Kind>> = { f: "file", d: "directory", l: "symlink" };

function kindsOf(value: string): Kind[] {
  return value.split(",").flatMap((letter) => {
    if (!/^[bcdpflsD]$/.test(letter)) throw new UsageError(`Unknown argument to -type: ${letter}`);
    const kind = KINDS[letter];
    return kind ? [kind] : [];
  });
}

/** `+n` is more, `-n` less, `n` the same. */
function comparison(value: string, word: string): (number: number) => boolean {
  const [, sign, digits] = /^([+-]?)(\d+(?:\.\d+)?)$/.exec(value) ?? [];
  if (digits === undefined) throw new UsageError(`invalid argument \`${value}' to \`${word}'`);
  const wanted = Number(digits);
  if (sign === "+") return (number) => number > wanted;
  return sign === "-" ? (number) => number < wanted : (number) => number === wanted;
}

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function isOfSize(value: string, word: string): Test {
  const [, number = "", unit = "b"] = /^([+-]?\d+)([cwbkMG]?)$/.exec(value) ?? [];
  if (number === "") throw new UsageError(`Invalid argument \`${value}' to ${word}`);
  const fits = comparison(number, word);
  const bytes = UNITS[unit || "b"] ?? 1;
  return withStat((stat) => fits(Math.ceil(sizeOf(stat) / bytes)));
}

function hasMode(value: string): Test {
  const [, way, mode = ""] = /^([-/]?)(.+)$/.exec(value) ?? [];
  const bits = /^[0-7]+$/.test(mode) ? Number.parseInt(mode, 8) : symbolicBits(mode);
  if (bits === undefined) throw new UsageError(`invalid mode '${value}'`);
  if (way === "-") return withStat((stat) => (stat.mode & bits) === bits);
  if (way === "/") return withStat((stat) => bits === 0 || (stat.mode & bits) !== 0);
  return withStat((stat) => (stat.mode & 0o7777) === bits);
}

const WHO: Readonly<Record<string, number>> = { u: 0o100, g: 0o010, o: 0o001, a: 0o111 };

function symbolicBits(mode: string): number | undefined {
  let bits = 0;
  for (const part of mode.split(",")) {
    const [, who, what] = /^([ugoa]*)[+=]([rwx]+)$/.exec(part) ?? [];
    if (what === undefined) return undefined;
    const each = (what.includes("r") ? 4 : 0) + (what.includes("w") ? 2 : 0) + (what.includes("x") ? 1 : 0);
    for (const letter of who || "a") bits |= (WHO[letter] ?? 0) * each;
  }
  return bits;
}

/** All files are those of the one user there is. */
function isOwner(value: string): Test {
  return () => value === "user" || value === "1000";
}

function isNewer(value: string): Test {
  let seconds: number | undefined;
  return async (entry, { context }) => {
    seconds ??= secondsOf(await context.fs.stat(context.resolve(value)));
    return secondsOf(await entry.stat()) > seconds;
  };
}

function isOfAge(unit: number): MakeTest {
  return (value, word) => {
    const fits = comparison(value, word);
    return async (entry, { now }) => fits(Math.floor((now - secondsOf(await entry.stat())) / unit));
  };
}
