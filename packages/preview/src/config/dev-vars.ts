/** The variables of a `.dev.vars` file, which has the format of dotenv. Lines that are not of it are left out. */
export function parseDevVars(text: string): Record<string, string> {
  const vars: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const [, name, raw = ""] = /^\s*(?:export\s+)?([\w.-]+)\s*=(.*)$/.exec(lines[at] ?? "") ?? [];
    if (name === undefined) continue;
    let value = raw.trimStart();
    const quote = /^["'`]/.exec(value)?.[0];
    // A quoted value may go on in the next lines, if it ends somewhere.
    let end = at;
    while (quote && value.indexOf(quote, 1) === -1 && end + 1 < lines.length && end - at < MOST_LINES) {
      end += 1;
      value += `\n${lines[end]}`;
    }
    const closing = quote ? value.indexOf(quote, 1) : -1;
    if (closing !== -1) at = end;
    vars[name] = closing === -1 ? plain(raw) : unescaped(value.slice(1, closing), quote);
  }
  return vars;
}

/** Of a value that does not end, no more is read for each line. */
const MOST_LINES = 200;

function plain(raw: string): string {
  const comment = raw.indexOf("#");
  return (comment === -1 ? raw : raw.slice(0, comment)).trim();
}

function unescaped(text: string, quote: string | undefined): string {
  return quote === '"' ? text.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : text;
}
