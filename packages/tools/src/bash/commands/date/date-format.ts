const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAY_MS = 86_400_000;

/** A moment, and the zone that it is shown in. */
export interface ZonedTime {
  /** Since the epoch. */
  readonly ms: number;
  /** Minutes east of UTC. */
  readonly offset: number;
  /** Such as `UTC`. */
  readonly zone: string;
}

type Field = (time: Date, zoned: ZonedTime) => string | readonly [number: number, width: number, pad: "0" | "_"];

function weekOfYear(time: Date, firstDay: number): number {
  const day = (time.getUTCDay() - firstDay + 7) % 7;
  return Math.floor((dayOfYear(time) + 6 - day) / 7);
}

/** From 1. */
function dayOfYear(time: Date): number {
  return Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
}

/** The Thursday of a week has its year and its number. */
function isoWeek(time: Date): { year: number; week: number } {
  const thursday = new Date(time.getTime() + (4 - (time.getUTCDay() || 7)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}

function zoneText(offset: number, colon: string, seconds = ""): string {
  const minutes = Math.abs(offset);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}${seconds}`;
}

const nameOf = (names: readonly string[], at: number, length?: number): string => (names[at] ?? "").slice(0, length);

const FIELDS: Readonly<Record<string, Field>> = {
  a: (time) => nameOf(DAYS, time.getUTCDay(), 3),
  A: (time) => nameOf(DAYS, time.getUTCDay()),
  b: (time) => nameOf(MONTHS, time.getUTCMonth(), 3),
  B: (time) => nameOf(MONTHS, time.getUTCMonth()),
  h: (time) => nameOf(MONTHS, time.getUTCMonth(), 3),
  C: (time) => [Math.floor(time.getUTCFullYear() / 100), 2, "0"],
  d: (time) => [time.getUTCDate(), 2, "0"],
  e: (time) => [time.getUTCDate(), 2, "_"],
  H: (time) => [time.getUTCHours(), 2, "0"],
  I: (time) => [time.getUTCHours() % 12 || 12, 2, "0"],
  k: (time) => [time.getUTCHours(), 2, "_"],
  l: (time) => [time.getUTCHours() % 12 || 12, 2, "_"],
  j: (time) => [dayOfYear(time), 3, "0"],
  m: (time) => [time.getUTCMonth() + 1, 2, "0"],
  M: (time) => [time.getUTCMinutes(), 2, "0"],
  S: (time) => [time.getUTCSeconds(), 2, "0"],
  s: (_time, { ms }) => String(Math.floor(ms / 1000)),
  p: (time) => (time.getUTCHours() < 12 ? "AM" : "PM"),
  P: (time) => (time.getUTCHours() < 12 ? "am" : "pm"),
  q: (time) => String(Math.floor(time.getUTCMonth() / 3) + 1),
  u: (time) => String(time.getUTCDay() || 7),
  w: (time) => String(time.getUTCDay()),
  U: (time) => [weekOfYear(time, 0), 2, "0"],
  W: (time) => [weekOfYear(time, 1), 2, "0"],
  V: (time) => [isoWeek(time).week, 2, "0"],
  G: (time) => [isoWeek(time).year, 4, "0"],
  g: (time) => [isoWeek(time).year % 100, 2, "0"],
  y: (time) => [time.getUTCFullYear() % 100, 2, "0"],
  Y: (time) => [time.getUTCFullYear(), 4, "0"],
  z: (_time, { offset }) => zoneText(offset, ""),
  ":z": (_time, { offset }) => zoneText(offset, ":"),
  "::z": (_time, { offset }) => zoneText(offset, ":", ":00"),
  Z: (_time, { zone }) => zone,
  n: () => "\n",
  t: () => "\t",
  "%": () => "%",
};

/** Fields that stand for several others. */
const TOGETHER: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
  "+": "%a %b %e %H:%M:%S %Z %Y",
};

/** What `date +FORMAT` prints. */
export function formatDate(format: string, zoned: ZonedTime): string {
  const time = new Date(zoned.ms + zoned.offset * 60_000);
  return format.replace(
    /%([-_0^#]*)(\d{0,3})((?::{1,2}(?=z))?.)/gs,
    (all, flags: string, width: string, key: string) => {
      if (Object.hasOwn(TOGETHER, key))
        return cased(formatDate(TOGETHER[key] ?? "", zoned), flags).padStart(Number(width));
      if (key === "N") return nanoseconds(time, flags, width);
      const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
      if (!field) return all;
      const value = field(time, zoned);
      if (typeof value === "string") return cased(value, flags).padStart(Number(width));
      const [number, size, usual] = value;
      if (flags.includes("-")) return String(number);
      const pad = flags.includes("_") ? " " : flags.includes("0") ? "0" : usual === "_" ? " " : "0";
      return String(number).padStart(Number(width) || size, pad);
    },
  );
}

function nanoseconds(time: Date, flags: string, width: string): string {
  const digits = `${String(time.getUTCMilliseconds()).padStart(3, "0")}000000`.slice(0, Number(width) || 9);
  return flags.includes("-") ? digits.replace(/0+$/, "") : digits;
}

function cased(text: string, flags: string): string {
  return flags.includes("^") || flags.includes("#") ? text.toUpperCase() : text;
}
