import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { parseOptions, type ParsedOptions, UsageError } from "../parse-options.ts";
import { problemOf } from "../../problem-of.ts";
import { formatDate } from "./date-format.ts";
import { parseDate } from "./parse-date.ts";

const SPEC = {
  short: "d:uRI::r:s:f:",
  long: {
    "date=": "d",
    utc: "u",
    universal: "u",
    "rfc-email": "R",
    "rfc-2822": "R",
    "iso-8601?": "I",
    "rfc-3339=": "3",
    "reference=": "r",
    "set=": "s",
    "file=": "f",
  },
};

const ISO: Readonly<Record<string, string>> = {
  "": "%F",
  date: "%F",
  hours: "%FT%H%:z",
  minutes: "%FT%H:%M%:z",
  seconds: "%FT%H:%M:%S%:z",
  ns: "%FT%H:%M:%S,%N%:z",
};

const RFC_3339: Readonly<Record<string, string>> = {
  date: "%F",
  seconds: "%F %H:%M:%S%:z",
  ns: "%F %H:%M:%S.%N%:z",
};

/** In place of just-bash's, which knows no days relative to others, no files and few forms. The time of now is its. */
export const date: ShellCommand = {
  name: "date",
  callsOriginal: true,
  async run(args, context) {
    try {
      return await run(parseOptions(args, SPEC), context);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { stderr: `date: ${error.message}\n`, exitCode: 1 };
    }
  },
};

async function run(options: ParsedOptions, context: CommandContext): Promise<CommandOutput> {
  if (options.has("s", "f"))
    return { stderr: "date: -s and -f are not supported here; -d TEXT shows another time\n", exitCode: 1 };
  const [operand, ...more] = options.operands;
  if (more.length > 0) return { stderr: `date: extra operand '${more[0]}'\n`, exitCode: 1 };
  if (operand !== undefined && !operand.startsWith("+"))
    return { stderr: `date: invalid date '${operand}'\n`, exitCode: 1 };
  const format = operand?.slice(1) ?? formatOf(options);
  if (format === undefined) return { stderr: "date: invalid argument for a form of time\n", exitCode: 1 };
  const zone = options.has("u") ? "UTC" : (context.env.get("TZ") ?? "UTC");
  const offset = (ms: number): number => offsetOf(zone, ms);
  const now = await timeNow(context);
  const file = options.value("r");
  const given = options.value("d");
  const ms =
    file === undefined ? (given === undefined ? now : parseDate(given, now, offset)) : await timeOf(file, context);
  if (typeof ms === "string") return { stderr: `date: ${file}: ${ms}\n`, exitCode: 1 };
  if (ms === undefined) return { stderr: `date: invalid date '${given}'\n`, exitCode: 1 };
  return { stdout: `${formatDate(format, { ms, offset: offset(ms), zone: nameOf(zone, ms) })}\n` };
}

/** Milliseconds since the epoch. */
async function timeNow({ original }: CommandContext): Promise<number> {
  const [seconds = "", nanoseconds = ""] = String((await original(["+%s.%N"])).stdout).split(".");
  return Number(seconds) * 1000 + Math.floor(Number(nanoseconds) / 1_000_000);
}

function formatOf(options: ParsedOptions): string | undefined {
  const [iso, rfc] = [options.value("I"), options.value("3")];
  if (options.has("R")) return "%a, %d %b %Y %H:%M:%S %z";
  if (iso !== undefined) return Object.hasOwn(ISO, iso) ? ISO[iso] : undefined;
  if (rfc !== undefined) return Object.hasOwn(RFC_3339, rfc) ? RFC_3339[rfc] : undefined;
  return "%a %b %e %H:%M:%S %Z %Y";
}

async function timeOf(file: string, { fs, resolve }: CommandContext): Promise<number | string> {
  try {
    return (await fs.stat(resolve(file))).mtime.getTime();
  } catch (error) {
    return problemOf(error);
  }
}

/** Minutes east of UTC; of a zone that is not known, 0, as with others. */
function offsetOf(zone: string, ms: number): number {
  if (/^(UTC|GMT|UTC0|)$/.test(zone)) return 0;
  const text = partOf(zone, ms, "longOffset") ?? "";
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function nameOf(zone: string, ms: number): string {
  if (/^(UTC|UTC0|)$/.test(zone)) return "UTC";
  const name = partOf(zone, ms, "short") ?? zone;
  return /^GMT[+-]/.test(name) ? formatDate("%z", { ms, offset: offsetOf(zone, ms), zone: "" }).slice(0, 3) : name;
}

function partOf(zone: string, ms: number, form: "longOffset" | "short"): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone.replace(/^:/, ""), timeZoneName: form });
    return parts.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value;
  } catch {
    return undefined;
  }
}
