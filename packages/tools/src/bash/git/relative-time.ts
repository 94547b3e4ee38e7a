import { notHere } from "./git-call.ts";

/** How long ago a time was, as git rounds it. Both in seconds. */
export function agoText(time: number, now: number): string {
  const seconds = now - time;
  if (seconds < 0) return "in the future";
  if (seconds < 90) return ago(seconds, "second");
  const minutes = Math.floor((seconds + 30) / 60);
  if (minutes < 90) return ago(minutes, "minute");
  const hours = Math.floor((minutes + 30) / 60);
  if (hours < 36) return ago(hours, "hour");
  const days = Math.floor((hours + 12) / 24);
  if (days < 14) return ago(days, "day");
  if (days < 70) return ago(Math.floor((days + 3) / 7), "week");
  if (days < 365) return ago(Math.floor((days + 15) / 30), "month");
  if (days >= 1825) return ago(Math.floor((days + 183) / 365), "year");
  const months = Math.floor((days * 24 + 365) / 730);
  const years = Math.floor(months / 12);
  return months % 12 === 0 ? ago(years, "year") : `${plural(years, "year")}, ${ago(months % 12, "month")}`;
}

function ago(count: number, unit: string): string {
  return `${plural(count, unit)} ago`;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

const DAY = 86_400;

/** The time that `--since` and the like mean, in seconds. A day without a time has the time that it is now, as with git. */
export function timeOf(text: string, now: number): number {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[._]/g, " ")
    .replace(/^last /, "1 ");
  if (words === "now") return now;
  if (words === "yesterday") return now - DAY;
  if (words === "midnight") return now - (now % DAY);
  const [, count, unit] = /^(\d{1,6}) ?(second|minute|hour|day|week|month|year)s?(?: ago)?$/.exec(words) ?? [];
  if (count !== undefined && unit !== undefined) return before(now, Number(count), unit);
  if (/^\d{9,11}$/.test(text)) return Number(text);
  if (/^\d{4}-\d\d?-\d\d?$/.test(text.trim())) {
    const [year = 0, month = 0, day = 0] = text.trim().split("-").map(Number);
    return Date.UTC(year, month - 1, day) / 1000 + (now % DAY);
  }
  const hasZone = /(Z|[+-]\d\d:?\d\d|GMT|UTC)$/.test(text.trim());
  const time = Date.parse(hasZone ? text : `${text.trim().replace(/^(\d{4}-\d\d-\d\d) /, "$1T")}Z`);
  if (Number.isNaN(time)) notHere(`the time '${text}'`, "give a date such as 2026-01-31, or '2 weeks ago'");
  return Math.floor(time / 1000);
}

function before(now: number, count: number, unit: string): number {
  const seconds = SECONDS[unit];
  if (seconds !== undefined) return now - count * seconds;
  const date = new Date(now * 1000);
  date.setUTCMonth(date.getUTCMonth() - count * (unit === "year" ? 12 : 1));
  return date.getTime() / 1000;
}
