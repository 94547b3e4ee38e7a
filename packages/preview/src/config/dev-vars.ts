// `NAME=value`, with or without `export`; quotes of three kinds, of which double ones know \n.
const LINE =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|[^\n#]*?)[ \t]*(?:#.*)?$/gm;

/** The variables of a `.dev.vars` file, which has the format of dotenv. Lines that are not of it are left out. */
export function parseDevVars(text: string): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const [, name = "", raw = ""] of text.replaceAll("\r\n", "\n").matchAll(LINE)) vars[name] = unquote(raw);
  return vars;
}

function unquote(raw: string): string {
  const quote = raw[0];
  if (raw.length < 2 || (quote !== '"' && quote !== "'" && quote !== "`") || raw.at(-1) !== quote) return raw;
  const inner = raw.slice(1, -1);
  return quote === '"' ? inner.replaceAll(/\\([nrt"\\])/g, (_, c: string) => ESCAPES[c] ?? c) : inner;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
