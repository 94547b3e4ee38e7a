import { delimiters } from "./fields.ts";
import type { Shell } from "./shell-state.ts";
import { isPlainName, setVariable } from "./variables.ts";

interface ReadCall {
  readonly isRaw: boolean;
  readonly names: readonly string[];
}

/** The call, unless it has options other than `-r`, or words that are not known yet. */
export function readCall(args: readonly (string | undefined)[]): ReadCall | undefined {
  const isRaw = args[0] === "-r";
  const names = isRaw ? args.slice(1) : args;
  const known = names.flatMap((name) => (name !== undefined && isPlainName(name) ? [name] : []));
  return known.length === names.length ? { isRaw, names: known } : undefined;
}

/** `read`: 1 at the end of the input, also where it ends within a line. */
export function readLine(shell: Shell, { isRaw, names }: ReadCall): number {
  let line = shell.stdin.line();
  let text = line?.text ?? "";
  // A line that ends with a backslash goes on in the next one.
  while (!isRaw && line?.isEnded && /(?<!\\)(?:\\\\)*\\$/.test(text)) {
    line = shell.stdin.line();
    text = text.slice(0, -1) + (line?.text ?? "");
  }
  text = text.replaceAll("\0", "");
  if (names.length === 0) setVariable(shell, "REPLY", isRaw ? text : unescape(text));
  else assign(shell, isRaw ? text : hideEscapes(text), names);
  return line?.isEnded ? 0 : 1;
}

function unescape(text: string): string {
  return text.replace(/\\([^]?)/g, "$1");
}

/** Stands before a character that was quoted. In no text that is read, since NUL is left out. */
const QUOTE = "\0";

function hideEscapes(text: string): string {
  return text.replace(/\\([^]?)/g, `${QUOTE}$1`);
}

function assign(shell: Shell, text: string, names: readonly string[]): void {
  const ifs = shell.env.get("IFS") ?? " \t\n";
  const blanks = Array.from(ifs).filter((char) => " \t\n".includes(char));
  let at = 0;
  while (at < text.length && blanks.includes(text.charAt(at))) at++;
  for (const [index, name] of names.entries()) {
    const rest = text.slice(at);
    const [first] = separators(rest, ifs);
    const isLast = index === names.length - 1;
    if (!isLast && first) {
      setVariable(shell, name, show(rest.slice(0, first.start)));
      at += first.end;
    } else {
      setVariable(shell, name, show(isLast ? withoutSeparator(rest, ifs, blanks) : rest));
      at = text.length;
    }
  }
}

/** Those that are not quoted. */
function separators(text: string, ifs: string): { readonly start: number; readonly end: number }[] {
  if (!text.includes(QUOTE)) {
    for (const delimiter of delimiters(text, ifs)) return [delimiter];
    return [];
  }
  const found: { start: number; end: number }[] = [];
  // What is quoted must not separate: a letter that cannot takes its place.
  const masked = text.replace(/\0[^]/g, "\0\0");
  for (const delimiter of delimiters(masked, ifs)) found.push(delimiter);
  return found;
}

/** The last variable takes all that is left: without blanks at its end, and without the one separator that ends one word. */
function withoutSeparator(text: string, ifs: string, blanks: readonly string[]): string {
  const all = separators(text, ifs);
  const [first, second] = text.includes(QUOTE) ? all : [...delimiters(text, ifs)];
  if (first && !second && first.end === text.length) return text.slice(0, first.start);
  let end = text.length;
  while (end > 0 && blanks.includes(text.charAt(end - 1)) && text.charAt(end - 2) !== QUOTE) end--;
  return text.slice(0, end);
}

const show = (text: string): string => text.replaceAll(QUOTE, "");
