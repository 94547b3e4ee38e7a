import type { GitCommitData, GitStamp } from "@tenrec/protocol";
import { fatal, type GitCall, shortId, subjectOf } from "./git-call.ts";

const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (number: number): string => String(number).padStart(2, "0");

function zone({ timezoneOffset }: GitStamp, colon = ""): string {
  const minutes = Math.abs(timezoneOffset);
  return `${timezoneOffset > 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`;
}

function local(stamp: GitStamp): Date {
  return new Date((stamp.timestamp - stamp.timezoneOffset * 60) * 1000);
}

/** A time as git shows it in the format of that name. */
export function dateText(stamp: GitStamp, format = "default"): string {
  const time = local(stamp);
  const day = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
  if (format === "short") return day;
  if (format === "iso") return `${day} ${clock} ${zone(stamp)}`;
  if (format === "iso-strict") return `${day}T${clock}${zone(stamp, ":")}`;
  if (format === "unix") return String(stamp.timestamp);
  const name = `${DAYS[time.getUTCDay()]}`;
  const month = MONTHS[time.getUTCMonth()];
  if (format === "rfc")
    return `${name}, ${time.getUTCDate()} ${month} ${time.getUTCFullYear()} ${clock} ${zone(stamp)}`;
  return `${name} ${month} ${time.getUTCDate()} ${clock} ${time.getUTCFullYear()} ${zone(stamp)}`;
}

/** Names of branches and tags by commit, as `%D` lists them. */
export async function decorations({ git }: GitCall): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string[]>();
  const { branch, commit } = await git.status();
  for (const { name, oid } of await git.refs()) {
    const list = names.get(oid) ?? [];
    const short = name.replace(/^refs\/(heads|remotes|tags)\//, "");
    if (name === `refs/heads/${branch}`) list.unshift(`HEAD -> ${short}`);
    else list.push(name.startsWith("refs/tags/") ? `tag: ${short}` : short);
    names.set(oid, list);
  }
  if (branch === undefined && commit !== undefined) names.set(commit, ["HEAD", ...(names.get(commit) ?? [])]);
  const order = (name: string): number => (name.startsWith("HEAD") ? 0 : name.startsWith("tag: ") ? 1 : 2);
  return new Map(Array.from(names, ([oid, list]) => [oid, list.sort((a, b) => order(a) - order(b)).join(", ")]));
}

export interface LogFormat {
  readonly name: string;
  readonly date?: string;
  readonly isAbbreviated?: boolean;
  readonly decorations?: ReadonlyMap<string, string> | undefined;
}

/** A commit in a format, with a line end unless the format is a separator's. */
export function commitText(commit: GitCommitData, format: LogFormat): string {
  const { name, date } = format;
  const id = format.isAbbreviated ? shortId(commit.oid) : commit.oid;
  const refs = format.decorations?.get(commit.oid);
  const decorated = refs ? ` (${refs})` : "";
  const body = (text: string): string =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => (line ? `    ${line}` : "    "))
      .join("\n");
  const merge = commit.parents.length > 1 ? `Merge: ${commit.parents.map(shortId).join(" ")}\n` : "";
  const person = ({ name: who, email }: GitStamp): string => `${who} <${email}>`;
  switch (name) {
    case "oneline":
      return `${id}${decorated} ${subjectOf(commit.message)}\n`;
    case "short":
      return `commit ${id}${decorated}\n${merge}Author: ${person(commit.author)}\n\n    ${subjectOf(commit.message)}\n`;
    case "medium":
      return `commit ${id}${decorated}\n${merge}Author: ${person(commit.author)}\nDate:   ${dateText(commit.author, date)}\n\n${body(commit.message)}\n`;
    case "full":
      return `commit ${id}${decorated}\n${merge}Author: ${person(commit.author)}\nCommit: ${person(commit.committer)}\n\n${body(commit.message)}\n`;
    case "fuller":
      return `commit ${id}${decorated}\n${merge}Author:     ${person(commit.author)}\nAuthorDate: ${dateText(commit.author, date)}\nCommit:     ${person(commit.committer)}\nCommitDate: ${dateText(commit.committer, date)}\n\n${body(commit.message)}\n`;
    default:
      return fatal(`invalid --pretty format: ${name}`);
  }
}

const COLORS = /^(Cred|Cgreen|Cblue|Creset|C\([^)]*\)|w\([^)]*\))/;

/** The placeholders of `--format`. One that is not known here is fatal, not kept as text. */
export function formatText(template: string, commit: GitCommitData, format: LogFormat): string {
  let out = "";
  for (let at = 0; at < template.length; at++) {
    if (template[at] !== "%") {
      out += template[at];
      continue;
    }
    const rest = template.slice(at + 1);
    const color = COLORS.exec(rest)?.[0];
    const hex = /^x([0-9a-fA-F]{2})/.exec(rest);
    const key = color ?? hex?.[0] ?? /^(?:[ac][neEdiIatrs]|[aA][lL]|.)/.exec(rest)?.[0] ?? "";
    out += color ? "" : hex ? String.fromCharCode(Number.parseInt(hex[1] ?? "", 16)) : placeholder(key, commit, format);
    at += key.length;
  }
  return out;
}

function placeholder(key: string, commit: GitCommitData, { date, decorations: names }: LogFormat): string {
  const { oid, tree, parents, message } = commit;
  const stamp = key.startsWith("c") ? commit.committer : commit.author;
  const refs = names?.get(oid) ?? "";
  const [, ...rest] = message.trimEnd().split(/\n\s*\n/);
  const values: Readonly<Record<string, () => string>> = {
    H: () => oid,
    h: () => shortId(oid),
    T: () => tree,
    t: () => shortId(tree),
    P: () => parents.join(" "),
    p: () => parents.map(shortId).join(" "),
    s: () => subjectOf(message),
    b: () => (rest.length > 0 ? `${rest.join("\n\n")}\n` : ""),
    B: () => `${message.trimEnd()}\n`,
    d: () => (refs ? ` (${refs})` : ""),
    D: () => refs,
    n: () => "\n",
    "%": () => "%",
  };
  const people: Readonly<Record<string, () => string>> = {
    n: () => stamp.name,
    e: () => stamp.email,
    d: () => dateText(stamp, date),
    i: () => dateText(stamp, "iso"),
    I: () => dateText(stamp, "iso-strict"),
    t: () => String(stamp.timestamp),
    s: () => dateText(stamp, "short"),
    r: () => dateText(stamp, "short"),
  };
  const value = key.length === 2 ? people[key.charAt(1)] : values[key];
  return value ? value() : fatal(`the placeholder %${key} is not supported here`);
}
