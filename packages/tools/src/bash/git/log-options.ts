import { SedPattern } from "../commands/sed/sed-pattern.ts";
import { insteadOf } from "./diff-command.ts";
import { type DiffStyle, plainStyle, takeDiffOption } from "./diff-options.ts";
import { fatal, notHere } from "./git-call.ts";
import { timeOf } from "./relative-time.ts";

/** What `log` and `show` were asked for. */
export interface LogOptions {
  format: string;
  isAbbreviated: boolean;
  idLength: number;
  isDecorated: boolean;
  isReverse: boolean;
  /** Beginnings of refs to start from, too. */
  starts: string[];
  isFirstParent: boolean;
  /** Only the commits that are named. */
  isNoWalk: boolean;
  isGraph: boolean;
  /** Goes on with the name that a file had before. */
  follows: boolean;
  /** `true` for merges only, `false` for none. */
  merges: boolean | undefined;
  isTerminated: boolean;
  date: string | undefined;
  limit: number;
  skip: number;
  style: DiffStyle;
  author: string[];
  grep: string[];
  isGrepInverted: boolean;
  syntax: "basic" | "extended" | "fixed";
  ignoresCase: boolean;
  since: number | undefined;
  until: number | undefined;
  operands: string[];
}

/** Options that change nothing in what is printed here. */
const WITHOUT_EFFECT =
  /^(--no-pager|--topo-order|--date-order|--no-show-signature|--full-history|--indent-heuristic|--encoding=utf-?8|--no-notes|--no-mailmap|--no-graph|--no-walk=sorted)$/i;

export function parseLog(args: readonly string[], command: string, now: number): LogOptions {
  const options: LogOptions = {
    format: "medium",
    isAbbreviated: false,
    idLength: 7,
    isDecorated: false,
    isReverse: false,
    starts: [],
    isFirstParent: false,
    isNoWalk: false,
    isGraph: false,
    follows: false,
    merges: undefined,
    isTerminated: true,
    date: undefined,
    limit: Infinity,
    skip: 0,
    style: plainStyle(),
    author: [],
    grep: [],
    isGrepInverted: false,
    syntax: "basic",
    ignoresCase: false,
    since: undefined,
    until: undefined,
    operands: [],
  };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      options.operands.push("--", ...rest);
      break;
    }
    const [, name = arg, attached] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    const value = (): string => attached ?? rest.shift() ?? fatal(`option '${name}' requires a value`);
    const count = /^(?:-n|-)(\d+)$/.exec(arg)?.[1];
    const set = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    if (count !== undefined) options.limit = Number(count);
    else if (set) set(options, value, attached, now);
    else if (!arg.startsWith("-") || arg === "-") options.operands.push(arg);
    else if (!takeDiffOption(options.style, arg, () => rest.shift()) && !WITHOUT_EFFECT.test(arg))
      notHere(`${command} ${arg}`, insteadOf(command, arg));
  }
  options.idLength = options.style.idLength;
  if (options.style.forms.includes("check")) notHere(`${command} --check`, "use git diff --check A B");
  return options;
}

function setFormat(options: LogOptions, text: string): void {
  const isTemplate = (text === "" || /%/.test(text)) && !/^t?format:/.test(text);
  options.format = (isTemplate ? `tformat:${text}` : text).replace(/^t?format:/, "format:");
  options.isTerminated = !text.startsWith("format:");
}

function countOf(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) fatal(`'${text}': not an integer`);
  return text.startsWith("-") ? Infinity : Number(text);
}

type Setting = (options: LogOptions, value: () => string, attached: string | undefined, now: number) => void;

/** All branches and the like; with a pattern, those that it fits. */
function startAt(prefix: string): Setting {
  return (options, _value, attached) => {
    if (attached !== undefined && !/^[^*?[\]]*\*?$/.test(attached))
      notHere(`the pattern ${attached}`, "name the branch");
    options.starts.push(prefix + (attached ?? "").replace(/\*$/, ""));
  };
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  "-n": (options, value) => void (options.limit = countOf(value())),
  "--max-count": (options, value) => void (options.limit = countOf(value())),
  "--skip": (options, value) => void (options.skip = countOf(value())),
  "--oneline": (options) => void Object.assign(options, { format: "oneline", isAbbreviated: true }),
  "--format": (options, value) => setFormat(options, value()),
  "--pretty": (options, _value, attached) => setFormat(options, attached ?? "medium"),
  "--date": (options, value) => void (options.date = value()),
  "--relative-date": (options) => void (options.date = "relative"),
  "--abbrev-commit": (options) => void (options.isAbbreviated = true),
  "--no-abbrev-commit": (options) => void (options.isAbbreviated = false),
  "--decorate": (options, _value, attached = "short") => {
    if (!/^(short|auto|no)$/.test(attached)) notHere(`--decorate=${attached}`, "use --decorate");
    options.isDecorated = attached === "short";
  },
  "--no-decorate": (options) => void (options.isDecorated = false),
  "--reverse": (options) => void (options.isReverse = true),
  "--all": startAt("refs/"),
  "--branches": startAt("refs/heads/"),
  "--tags": startAt("refs/tags/"),
  "--remotes": startAt("refs/remotes/"),
  "--first-parent": (options) => void (options.isFirstParent = true),
  "--no-walk": (options) => void (options.isNoWalk = true),
  "--graph": (options) => void (options.isGraph = true),
  "--follow": (options) => void (options.follows = true),
  "--merges": (options) => void (options.merges = true),
  "--no-merges": (options) => void (options.merges = false),
  "--author": (options, value) => void options.author.push(value()),
  "--grep": (options, value) => void options.grep.push(value()),
  "--invert-grep": (options) => void (options.isGrepInverted = true),
  "-i": (options) => void (options.ignoresCase = true),
  "--regexp-ignore-case": (options) => void (options.ignoresCase = true),
  "-E": (options) => void (options.syntax = "extended"),
  "--extended-regexp": (options) => void (options.syntax = "extended"),
  "-F": (options) => void (options.syntax = "fixed"),
  "--fixed-strings": (options) => void (options.syntax = "fixed"),
  "--since": (options, value, _attached, now) => void (options.since = timeOf(value(), now)),
  "--after": (options, value, _attached, now) => void (options.since = timeOf(value(), now)),
  "--until": (options, value, _attached, now) => void (options.until = timeOf(value(), now)),
  "--before": (options, value, _attached, now) => void (options.until = timeOf(value(), now)),
};

/** Whether a line has what any of these patterns looks for; bounded in time. */
export function lineTest(
  patterns: readonly string[],
  { syntax, ignoresCase }: Pick<LogOptions, "syntax" | "ignoresCase">,
): (line: string) => boolean {
  const folded = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const tests = patterns.map((pattern): ((line: string) => boolean) => {
    if (syntax === "fixed") return (line) => folded(line).includes(folded(pattern));
    const expression = new SedPattern(pattern, {
      extended: syntax === "extended",
      ignoreCase: ignoresCase,
      lines: false,
    });
    return (line) => expression.find(line, 0) !== undefined;
  });
  return (line) => tests.some((test) => test(line));
}
