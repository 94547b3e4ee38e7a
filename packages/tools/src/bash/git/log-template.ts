import type { GitCommitData } from "@tenrec/protocol";
import { fatal, subjectOf } from "./git-call.ts";
import { dateText, type LogFormat } from "./log-text.ts";

/** A colour, a column for the next placeholder, a byte, or a placeholder with what stands before it. */
const TOKEN =
  /%(?:(?<color>Cred|Cgreen|Cblue|Creset|C\([^)]*\))|(?<side>[<>])\((?<width>\d{1,4})(?<cuts>,trunc)?\)|x(?<hex>[0-9a-fA-F]{2})|(?<sign>[-+ ]?)(?<key>G[?]|[ac][neEdiIatrslLDN]|[aA][lL]|.?))/gs;

interface Column {
  readonly side: string;
  readonly width: number;
  readonly cuts: boolean;
}

/** The placeholders of `--format`. One that is not known here is fatal, not kept as text. */
export function formatText(template: string, commit: GitCommitData, format: LogFormat): string {
  let out = "";
  let from = 0;
  let column: Column | undefined;
  for (const token of template.matchAll(TOKEN)) {
    const { color, side, width, cuts, hex, sign = "", key = "" } = token.groups ?? {};
    out += template.slice(from, token.index);
    from = token.index + token[0].length;
    if (color !== undefined) continue;
    if (side !== undefined) {
      column = { side, width: Number(width), cuts: cuts !== undefined };
      continue;
    }
    const value = hex === undefined ? placeholder(key, commit, format) : String.fromCharCode(Number.parseInt(hex, 16));
    out = withSign(out, sign, value) + (column ? inColumn(value, column) : value);
    column = undefined;
  }
  return out + template.slice(from);
}

/** `-` takes line ends off where nothing comes; `+` and a blank stand before what comes. */
function withSign(out: string, sign: string, value: string): string {
  if (sign === "-") return value === "" ? out.replace(/\n+$/, "") : out;
  return value === "" ? out : out + (sign === "+" ? "\n" : sign);
}

function inColumn(value: string, { side, width, cuts }: Column): string {
  const text = cuts && value.length > width ? `${value.slice(0, Math.max(0, width - 2))}..` : value;
  return side === "<" ? text.padEnd(width) : text.padStart(width);
}

function placeholder(key: string, commit: GitCommitData, format: LogFormat): string {
  const { date, decorations: names, now } = format;
  const { oid, tree, parents, message } = commit;
  const short = (id: string): string => id.slice(0, format.idLength ?? 7);
  const stamp = key.startsWith("c") ? commit.committer : commit.author;
  const refs = names?.get(oid) ?? "";
  const [, ...rest] = message.trimEnd().split(/\n\s*\n/);
  const values: Readonly<Record<string, () => string>> = {
    H: () => oid,
    h: () => short(oid),
    T: () => tree,
    t: () => short(tree),
    P: () => parents.join(" "),
    p: () => parents.map(short).join(" "),
    s: () => subjectOf(message),
    f: () => fileName(subjectOf(message)),
    b: () => (rest.length > 0 ? `${rest.join("\n\n")}\n` : ""),
    B: () => `${message.trimEnd()}\n`,
    d: () => (refs ? ` (${refs})` : ""),
    D: () => refs,
    // Nothing here has notes, another encoding, or a signature that could be verified.
    N: () => "",
    e: () => "",
    "G?": () => "N",
    m: () => ">",
    n: () => "\n",
    "%": () => "%",
  };
  const people: Readonly<Record<string, () => string>> = {
    n: () => stamp.name,
    N: () => stamp.name,
    e: () => stamp.email,
    E: () => stamp.email,
    l: () => stamp.email.replace(/@.*/s, ""),
    L: () => stamp.email.replace(/@.*/s, ""),
    d: () => dateText(stamp, date, now),
    D: () => dateText(stamp, "rfc"),
    i: () => dateText(stamp, "iso"),
    I: () => dateText(stamp, "iso-strict"),
    t: () => String(stamp.timestamp),
    s: () => dateText(stamp, "short"),
    r: () => dateText(stamp, "relative", now),
  };
  const isPerson = key.length === 2 && key !== "G?";
  const value = isPerson ? people[key.charAt(1)] : Object.hasOwn(values, key) ? values[key] : undefined;
  return value ? value() : fatal(`the placeholder %${key} is not supported here`);
}

/** A subject as it is in the name of a patch. */
function fileName(subject: string): string {
  return subject
    .replace(/[^\w.]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^-/, "")
    .replace(/[-.]+$/, "")
    .slice(0, 52);
}
