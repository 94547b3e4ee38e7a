const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAY = 86_400_000;

/** A time in UTC as a format of C's `strftime` has it. */
export function formatTime(format: string, seconds: number): string {
  const time = new Date(Math.floor(seconds) * 1000);
  if (Number.isNaN(time.getTime())) return "";
  return format.replace(/%[EO_^#-]?([\s\S])/g, (all, letter: string) => partOfTime(letter, time) ?? all);
}

function partOfTime(letter: string, time: Date): string | undefined {
  const inner = COMPOUND[letter];
  if (inner !== undefined) return formatTime(inner, Math.floor(time.getTime() / 1000));
  const [year, month, day, hour] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), time.getUTCHours()];
  const weekday = time.getUTCDay();
  const dayOfYear = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / DAY);
  switch (letter) {
    case "Y":
      return `${year}`;
    case "C":
      return two(Math.floor(year / 100));
    case "y":
      return two(((year % 100) + 100) % 100);
    case "m":
      return two(month + 1);
    case "d":
      return two(day);
    case "e":
      return `${day}`.padStart(2);
    case "H":
      return two(hour);
    case "k":
      return `${hour}`.padStart(2);
    case "I":
      return two(hour % 12 || 12);
    case "l":
      return `${hour % 12 || 12}`.padStart(2);
    case "M":
      return two(time.getUTCMinutes());
    case "S":
      return two(time.getUTCSeconds());
    case "j":
      return `${dayOfYear + 1}`.padStart(3, "0");
    case "a":
      return DAYS[weekday]?.slice(0, 3);
    case "A":
      return DAYS[weekday];
    case "b":
    case "h":
      return MONTHS[month]?.slice(0, 3);
    case "B":
      return MONTHS[month];
    case "p":
      return hour < 12 ? "AM" : "PM";
    case "P":
      return hour < 12 ? "am" : "pm";
    case "u":
      return `${weekday || 7}`;
    case "w":
      return `${weekday}`;
    case "U":
      return two(Math.floor((dayOfYear + 7 - weekday) / 7));
    case "W":
      return two(Math.floor((dayOfYear + 7 - ((weekday + 6) % 7)) / 7));
    case "G":
      return `${weekOf(year, dayOfYear, weekday).year}`;
    case "g":
      return two(weekOf(year, dayOfYear, weekday).year % 100);
    case "V":
      return two(weekOf(year, dayOfYear, weekday).week);
    case "s":
      return `${Math.floor(time.getTime() / 1000)}`;
    case "z":
      return "+0000";
    case "Z":
      return "UTC";
    case "n":
      return "\n";
    case "t":
      return "\t";
    case "%":
      return "%";
    default:
      return undefined;
  }
}

const COMPOUND: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  x: "%m/%d/%y",
  F: "%Y-%m-%d",
  T: "%H:%M:%S",
  X: "%H:%M:%S",
  R: "%H:%M",
  r: "%I:%M:%S %p",
};

function two(number: number): string {
  return `${number}`.padStart(2, "0");
}

/** The week by ISO 8601, which may be of the year before or behind. */
function weekOf(year: number, dayOfYear: number, weekday: number): { readonly year: number; readonly week: number } {
  const week = Math.floor((dayOfYear - ((weekday + 6) % 7) + 10) / 7);
  if (week < 1) return { year: year - 1, week: weeksOf(year - 1) };
  return week > weeksOf(year) ? { year: year + 1, week: 1 } : { year, week };
}

function weeksOf(year: number): number {
  const first = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  const last = new Date(Date.UTC(year, 11, 31)).getUTCDay();
  return first === 4 || last === 4 ? 53 : 52;
}

/** Seconds of `YYYY MM DD HH MM SS` in UTC, where each may go beyond its bounds; -1 for what is not that. */
export function secondsOf(text: string): number {
  const parts = text.trim().split(/\s+/);
  if (parts.length < 6 || !parts.slice(0, 6).every((part) => /^-?\d+$/.test(part))) return -1;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  time.setUTCHours(hour, minute, second);
  return Number.isNaN(time.getTime()) ? -1 : time.getTime() / 1000;
}
