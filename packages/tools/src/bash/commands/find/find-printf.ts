import type { FsStat } from "just-bash/browser";
import { LETTER_ESCAPES } from "../letter-escapes.ts";
import { modeText } from "../list-columns.ts";
import type { Entry, Test } from "./find-run.ts";
import { secondsOf, sizeOf } from "./find-tests.ts";

const DIRECTIVE = /\\([0-7]{1,3}|[^])|%([-+ #0]*)(\d*)(?:\.(\d+))?([AaCcTt]?)([A-Za-z@+%])|%%/g;

/** `-printf`: a format, in which `\c` ends the output. */
export function formatPrinter(format: string): Test {
  const needsStat = /%[-+ #0\d.]*[sbkmMtTAaCcYDinl]/.test(format);
  return async (entry, run) => {
    const stat = needsStat ? await entry.stat() : undefined;
    const target = entry.kind === "symlink" ? await run.context.fs.readlink(entry.absolute) : "";
    const what = { entry, stat, target };
    run.print(
      format.split("\\c", 1)[0]?.replace(DIRECTIVE, (all, escape?: string, ...rest: string[]) => {
        if (escape !== undefined) return unescape(escape);
        const [flags = "", width = "", places, kind = "", letter = ""] = rest;
        return all === "%%" || letter === "%"
          ? "%"
          : pad(fieldOf(what, kind, letter, places) ?? all, flags, Number(width));
      }) ?? "",
    );
    return true;
  };
}

interface Shown {
  readonly entry: Entry;
  readonly stat: FsStat | undefined;
  readonly target: string;
}

function unescape(escape: string): string {
  if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
  return LETTER_ESCAPES[escape] ?? `\\${escape}`;
}

function pad(text: string, flags: string, width: number): string {
  return flags.includes("-") ? text.padEnd(width) : text.padStart(width, flags.includes("0") ? "0" : " ");
}

function fieldOf({ entry, stat, target }: Shown, kind: string, letter: string, places?: string): string | undefined {
  if (kind !== "") return stat && timeField(stat, letter);
  const ofStat = stat && statField(stat, letter);
  if (ofStat !== undefined) return ofStat;
  const { path, start } = entry;
  const cut = path.replace(/\/+$/, "").lastIndexOf("/");
  const fields: Readonly<Record<string, string>> = {
    p: path,
    f: entry.name,
    h: cut === -1 ? "." : path.slice(0, cut),
    P: entry.depth === 0 ? "" : path.slice(start.length).replace(/^\//, ""),
    H: start,
    d: String(entry.depth),
    y: { file: "f", directory: "d", symlink: "l" }[entry.kind],
    l: target,
    u: "user",
    g: "user",
    U: "1000",
    G: "1000",
    i: "0",
    D: "0",
    F: "tree",
  };
  const field = fields[letter];
  return places === undefined ? field : field?.slice(0, Number(places));
}

function statField(stat: FsStat, letter: string): string | undefined {
  const size = sizeOf(stat);
  const fields: Readonly<Record<string, string>> = {
    s: String(size),
    b: String(Math.ceil(size / 4096) * 8),
    k: String(Math.ceil(size / 4096) * 4),
    m: (stat.mode & 0o7777).toString(8),
    M: modeText(stat),
    n: stat.isDirectory ? "2" : "1",
    t: ctime(stat),
    a: ctime(stat),
    c: ctime(stat),
    Y: stat.isDirectory ? "d" : stat.isSymbolicLink ? "l" : "f",
  };
  return fields[letter];
}

const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function fraction(stat: FsStat): string {
  return `${String(stat.mtime.getTime() % 1000).padStart(3, "0")}0000000`;
}

function ctime(stat: FsStat): string {
  const { mtime } = stat;
  const time = mtime.toISOString().slice(11, 19);
  return `${DAYS[mtime.getUTCDay()]} ${MONTHS[mtime.getUTCMonth()]} ${String(mtime.getUTCDate()).padStart(2)} ${time}.${fraction(stat)} ${mtime.getUTCFullYear()}`;
}

function timeField(stat: FsStat, letter: string): string | undefined {
  const iso = stat.mtime.toISOString();
  const [date, time] = [iso.slice(0, 10), `${iso.slice(11, 19)}.${fraction(stat)}`];
  const fields: Readonly<Record<string, string>> = {
    "@": `${Math.floor(secondsOf(stat))}.${fraction(stat)}`,
    "+": `${date}+${time}`,
    F: date,
    T: time,
    X: time,
    D: `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(2, 4)}`,
    Y: iso.slice(0, 4),
    y: iso.slice(2, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: time.slice(6),
    b: MONTHS[stat.mtime.getUTCMonth()] ?? "",
    a: DAYS[stat.mtime.getUTCDay()] ?? "",
    Z: "UTC",
    s: String(Math.floor(secondsOf(stat))),
    c: ctime(stat),
  };
  return fields[letter];
}
