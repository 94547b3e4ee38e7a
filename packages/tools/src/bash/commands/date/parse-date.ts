/** A moment in the words of people: what `date -d` takes. */

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = "sun mon tue wed thu fri sat".split(" ");
const UNITS: Readonly<Record<string, keyof Shift>> = {
  year: "years",
  month: "months",
  day: "days",
  hour: "hours",
  hr: "hours",
  minute: "minutes",
  min: "minutes",
  second: "seconds",
  sec: "seconds",
};

interface Shift {
  years: number;
  months: number;
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** What was said so far. */
interface Said {
  rest: string;
  date: readonly [year: number | undefined, month: number, day: number] | undefined;
  time: readonly [hour: number, minute: number, second: number, ms: number] | undefined;
  /** Minutes east of UTC. */
  zone: number | undefined;
  weekday: readonly [day: number, ordinal: number] | undefined;
  shift: Shift;
  isShifted: boolean;
}

type Taker = (said: Said, match: RegExpExecArray) => boolean | void;

function clock(
  said: Said,
  [, hour = "", minute = "0", second = "0", fraction = "", half = ""]: readonly (string | undefined)[],
): boolean {
  if (said.time) return false;
  let hours = Number(hour);
  const pm = half.toLowerCase().startsWith("p");
  if (half !== "") {
    if (hours < 1 || hours > 12) return false;
    hours = (hours % 12) + (pm ? 12 : 0);
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  said.time = [hours, Number(minute), Number(second), Number(`0${fraction || ".0"}`) * 1000];
  return true;
}

function zoneOf(sign: string, hours: string, minutes = "0"): number {
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function setDate(said: Said, year: string | undefined, month: number, day: string): boolean {
  if (said.date || month < 1 || month > 12 || Number(day) < 1 || Number(day) > 31) return false;
  const full =
    year === undefined
      ? undefined
      : year.length === 2
        ? Number(year) + (Number(year) < 69 ? 2000 : 1900)
        : Number(year);
  said.date = [full, month, Number(day)];
  return true;
}

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?)";
const UNIT = "(year|month|fortnight|week|day|hour|hr|minute|min|second|sec)s?";
const ORDINAL: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

function move(said: Said, count: number, unit: string): void {
  const times = unit === "week" ? 7 : unit === "fortnight" ? 14 : 1;
  const key = UNITS[unit] ?? "days";
  said.shift[key] += count * times;
  said.isShifted = true;
}

/** Each kind of word, tried at the start of what is left. */
const TAKERS: readonly (readonly [pattern: RegExp, take: Taker])[] = [
  [
    /^(\d{4})-(\d\d?)-(\d\d?)(?:t(?=\d)|(?!\d))/,
    (said, [, year = "", month = "", day = ""]) => setDate(said, year, Number(month), day),
  ],
  [
    /^(\d{4})\/(\d\d?)\/(\d\d?)(?!\d)/,
    (said, [, year = "", month = "", day = ""]) => setDate(said, year, Number(month), day),
  ],
  [
    /^(\d\d?)\/(\d\d?)(?:\/(\d{4}|\d\d))?(?!\d)/,
    (said, [, month = "", day = "", year]) => setDate(said, year, Number(month), day),
  ],
  [
    /^(\d{4})(\d\d)(\d\d)(?!\d)/,
    (said, [, year = "", month = "", day = ""]) => setDate(said, year, Number(month), day),
  ],
  [/^(\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)? ?([ap]\.?m\.?(?![a-z]))?/, (said, match) => clock(said, match)],
  [/^(\d\d?) ?([ap]\.?m\.?)(?![a-z])/, (said, [, hour, half]) => clock(said, ["", hour, "0", "0", "", half])],
  [
    new RegExp(`^(\\d\\d?)(?:st|nd|rd|th)?[- ]${MONTH}(?:[-, ]+(\\d{4})(?!:))?(?![a-z\\d])`),
    (said, [, day = "", month = "", year]) => setDate(said, year, monthOf(month), day),
  ],
  [
    new RegExp(`^${MONTH} ?(\\d\\d?)(?:st|nd|rd|th)?(?!\\d|:)(?:,? (\\d{4})(?!:|\\d))?`),
    (said, [, month = "", day = "", year]) => setDate(said, year, monthOf(month), day),
  ],
  [
    new RegExp(`^([+-]?) ?(\\d{1,7}) ?${UNIT}( ago)?(?![a-z])`),
    (said, [, sign, count = "", unit = "", ago]) =>
      move(said, (sign === "-" ? -1 : 1) * (ago ? -1 : 1) * Number(count), unit),
  ],
  [
    new RegExp(`^(last|this|next) ${UNIT}(?![a-z])`),
    (said, [, which = "", unit = ""]) => move(said, ORDINAL[which] ?? 0, unit),
  ],
  [
    new RegExp(`^(?:(last|this|next) )?${DAY}(?![a-z])`),
    (said, [, which, day = ""]) => {
      if (said.weekday) return false;
      said.weekday = [DAYS.indexOf(day.slice(0, 3)), which === undefined ? 0 : (ORDINAL[which] ?? 0)];
      return true;
    },
  ],
  [new RegExp(`^${UNIT}( ago)?(?![a-z])`), (said, [, unit = "", ago]) => move(said, ago ? -1 : 1, unit)],
  [/^(now|today)(?![a-z])/, (said) => void (said.isShifted = true)],
  [/^tomorrow(?![a-z])/, (said) => move(said, 1, "day")],
  [/^yesterday(?![a-z])/, (said) => move(said, -1, "day")],
  [/^midnight(?![a-z])/, (said) => clock(said, ["", "0"])],
  [/^noon(?![a-z])/, (said) => clock(said, ["", "12"])],
  [/^(?:utc|gmt|z)(?![a-z])/, (said) => said.zone === undefined && ((said.zone = 0), true)],
  // Behind a time, a number with a sign is a zone.
  [
    /^([+-])(\d\d?)(?::?(\d\d))?(?!\d)/,
    (said, [, sign = "", hours = "", minutes]) => {
      if (!said.time || said.zone !== undefined) return false;
      said.zone = zoneOf(sign, hours, minutes);
      return true;
    },
  ],
];

/** Milliseconds since the epoch; undefined for what is not understood. `offset` tells the zone's minutes east of UTC. */
export function parseDate(text: string, now: number, offset: (ms: number) => number): number | undefined {
  if (text.length > 200) return undefined;
  const seconds = /^\s*@(-?\d{1,12})(\.\d+)?\s*$/.exec(text);
  if (seconds) return (Number(seconds[1]) + Number(`0${seconds[2] ?? ".0"}`)) * 1000;
  const said: Said = {
    rest: text
      .toLowerCase()
      .replace(/\([^()]*\)/g, " ")
      .replace(/[\s,]+/g, " ")
      .trim(),
    date: undefined,
    time: undefined,
    zone: undefined,
    weekday: undefined,
    shift: { years: 0, months: 0, days: 0, hours: 0, minutes: 0, seconds: 0 },
    isShifted: false,
  };
  while (said.rest !== "") if (!takeWord(said)) return undefined;
  return momentOf(said, now, offset);
}

function takeWord(said: Said): boolean {
  // A sign behind a time is that of its zone, even in front of a unit.
  const zones = said.time && said.zone === undefined && /^[+-]/.test(said.rest) ? TAKERS.slice(-1) : TAKERS;
  for (const [pattern, take] of zones) {
    const match = pattern.exec(said.rest);
    if (!match || take(said, match) === false) continue;
    said.rest = said.rest.slice(match[0].length).trim();
    return true;
  }
  return false;
}

type Offset = (ms: number) => number;

function momentOf(said: Said, now: number, offset: Offset): number | undefined {
  const { date, zone, weekday, shift } = said;
  const here = new Date(now + (zone ?? offset(now)) * 60_000);
  const [year = here.getUTCFullYear(), month, day] = date ?? [undefined, here.getUTCMonth() + 1, here.getUTCDate()];
  if (date && day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const clock = clockOf(said, here);
  const at = new Date(Date.UTC(year + shift.years, month - 1 + shift.months, day + shift.days, ...clock));
  if (weekday && !date) at.setUTCDate(at.getUTCDate() + daysTo(at.getUTCDay(), weekday));
  const local = at.getTime();
  const east = zone ?? offset(local - offset(local) * 60_000);
  const moment = local - east * 60_000 + ((shift.hours * 60 + shift.minutes) * 60 + shift.seconds) * 1000;
  return Number.isFinite(new Date(moment).getTime()) ? moment : undefined;
}

/** Without a day of its own, a moment has the time that it is now. */
function clockOf({ date, time, weekday, isShifted }: Said, here: Date): NonNullable<Said["time"]> {
  if (time) return time;
  if (date || weekday || !isShifted) return [0, 0, 0, 0];
  return [here.getUTCHours(), here.getUTCMinutes(), here.getUTCSeconds(), here.getUTCMilliseconds()];
}

function daysTo(today: number, [wanted, ordinal]: NonNullable<Said["weekday"]>): number {
  const ahead = (wanted - today + 7) % 7;
  return ahead + 7 * (ordinal > 0 && ahead > 0 ? ordinal - 1 : ordinal);
}
