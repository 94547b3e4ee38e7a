import type { GitCommitData, GitStamp } from "@tenrec/protocol";
import { fatal, type GitCall, notHere, shortId, subjectOf } from "./git-call.ts";
import { agoText } from "./relative-time.ts";

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

/** A time as git shows it in the format of that name; `now` is in seconds, for how long ago it was. */
export function dateText(stamp: GitStamp, format = "default", now: number = stamp.timestamp): string {
  // The shell's own zone is UTC.
  if (/^(?!default-).*-local$|^local$/.test(format))
    return dateText({ ...stamp, timezoneOffset: 0 }, localForm(format), now);
  const time = local(stamp);
  const day = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
  const name = `${DAYS[time.getUTCDay()]}`;
  const month = MONTHS[time.getUTCMonth()];
  const date = time.getUTCDate();
  if (format.startsWith("format:")) return formatTime(format.slice("format:".length), stamp);
  switch (format) {
    case "short":
      return day;
    case "iso":
    case "iso8601":
      return `${day} ${clock} ${zone(stamp)}`;
    case "iso-strict":
    case "iso8601-strict":
      return `${day}T${clock}${zone(stamp, ":")}`;
    case "unix":
      return String(stamp.timestamp);
    case "raw":
      return `${stamp.timestamp} ${zone(stamp)}`;
    case "relative":
      return agoText(stamp.timestamp, now);
    case "rfc":
    case "rfc2822":
      return `${name}, ${date} ${month} ${time.getUTCFullYear()} ${clock} ${zone(stamp)}`;
    case "default":
    case "normal":
      return `${name} ${month} ${date} ${clock} ${time.getUTCFullYear()} ${zone(stamp)}`;
    case "default-local":
      return `${name} ${month} ${date} ${clock} ${time.getUTCFullYear()}`;
    default:
      return format === "human"
        ? notHere("--date=human", "use --date=relative")
        : fatal(`unknown date format ${format}`);
  }
}

function localForm(format: string): string {
  const form = format.replace(/-?local$/, "");
  return form === "" || form === "default" ? "default-local" : form;
}

/** The letters of strftime that people ask for. */
function formatTime(template: string, stamp: GitStamp): string {
  const time = local(stamp);
  const name = (names: readonly string[], at: number): string => names[at] ?? "";
  const iso = time.toISOString();
  const values: Readonly<Record<string, () => string>> = {
    Y: () => iso.slice(0, 4),
    y: () => iso.slice(2, 4),
    m: () => iso.slice(5, 7),
    d: () => iso.slice(8, 10),
    e: () => String(time.getUTCDate()).padStart(2),
    H: () => iso.slice(11, 13),
    M: () => iso.slice(14, 16),
    S: () => iso.slice(17, 19),
    I: () => two(time.getUTCHours() % 12 || 12),
    p: () => (time.getUTCHours() < 12 ? "AM" : "PM"),
    F: () => iso.slice(0, 10),
    T: () => iso.slice(11, 19),
    R: () => iso.slice(11, 16),
    D: () => `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(2, 4)}`,
    a: () => name(DAYS, time.getUTCDay()),
    b: () => name(MONTHS, time.getUTCMonth()),
    s: () => String(stamp.timestamp),
    z: () => zone(stamp),
    n: () => "\n",
    t: () => "\t",
    "%": () => "%",
  };
  return template.replace(/%(.?)/gs, (_, key: string) =>
    Object.hasOwn(values, key)
      ? (values[key]?.() ?? "")
      : notHere(`%${key} in --date=format:`, "use %Y-%m-%d %H:%M:%S"),
  );
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
  /** Letters of an abbreviated id; default 7. */
  readonly idLength?: number;
  readonly decorations?: ReadonlyMap<string, string> | undefined;
  /** In seconds. */
  readonly now?: number;
}

/** A commit in a format, with a line end unless the format is a separator's. */
export function commitText(commit: GitCommitData, format: LogFormat): string {
  const { name, date, now } = format;
  const id = format.isAbbreviated ? commit.oid.slice(0, format.idLength ?? 7) : commit.oid;
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
      return `commit ${id}${decorated}\n${merge}Author: ${person(commit.author)}\nDate:   ${dateText(commit.author, date, now)}\n\n${body(commit.message)}\n`;
    case "full":
      return `commit ${id}${decorated}\n${merge}Author: ${person(commit.author)}\nCommit: ${person(commit.committer)}\n\n${body(commit.message)}\n`;
    case "fuller":
      return `commit ${id}${decorated}\n${merge}Author:     ${person(commit.author)}\nAuthorDate: ${dateText(commit.author, date, now)}\nCommit:     ${person(commit.committer)}\nCommitDate: ${dateText(commit.committer, date, now)}\n\n${body(commit.message)}\n`;
    case "raw":
      return rawText(commit, id + decorated, body(commit.message));
    case "reference":
      return `${shortId(commit.oid)} (${subjectOf(commit.message)}, ${dateText(commit.author, date ?? "short", now)})\n`;
    case "email":
    case "mboxrd":
      return notHere(`--pretty=${name}`, "use git show, whose patch git apply takes");
    default:
      return fatal(`invalid --pretty format: ${name}`);
  }
}

function rawText({ tree, parents, author, committer }: GitCommitData, id: string, body: string): string {
  const person = (stamp: GitStamp): string => `${stamp.name} <${stamp.email}> ${dateText(stamp, "raw")}`;
  const lines = [
    `commit ${id}`,
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person(author)}`,
    `committer ${person(committer)}`,
  ];
  return `${lines.join("\n")}\n\n${body}\n`;
}
