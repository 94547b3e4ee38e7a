import { malformed } from "./file-patch.ts";

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ['"', 34],
  ["\\", 92],
]);

/** A name of a diff's header: what may follow it after a tab is left out, and git's quotes are undone. `at` is its line. */
export function readName(text: string, at: number): string {
  const tab = text.indexOf("\t");
  if (!text.startsWith('"')) return tab === -1 ? text.trimEnd() : text.slice(0, tab);
  const { name, rest } = readQuoted(text, at);
  if (/^\s|^$/.test(rest)) return name;
  throw malformed(at, `after the name in quotes comes ${JSON.stringify(shortened(rest))}. Quote the name as a whole`);
}

/** The two names of `diff --git`. Undefined when they are not the same and cannot be told apart. */
export function readNames(text: string, at: number): readonly [string, string] | undefined {
  if (text.startsWith('"')) {
    const { name, rest } = readQuoted(text, at);
    return rest.startsWith(" ") ? [name, readName(rest.slice(1), at)] : undefined;
  }
  const quote = text.endsWith('"') ? text.indexOf(' "') : -1;
  if (quote !== -1) return [text.slice(0, quote), readName(text.slice(quote + 1), at)];
  // `a/x y b/x y`: both are of one length.
  const middle = (text.length - 1) / 2;
  const [left, right] = [text.slice(0, middle), text.slice(middle + 1)];
  return text[middle] === " " && bare(left, right)[0] === bare(left, right)[1] ? [left, right] : undefined;
}

/** Both names without the prefixes `a/` and `b/`, or the like, where both have them or the other is `/dev/null`. */
export function bare(left: string, right: string): readonly [string, string] {
  const [from, to] = [prefixOf(left), prefixOf(right)];
  const both = from !== undefined && to !== undefined && from !== to;
  const isOne = (left === NOTHING && to === "b") || (right === NOTHING && from === "a");
  const cut = (name: string): string => (name === NOTHING ? name : name.slice(2));
  return both || isOne ? [cut(left), cut(right)] : [left, right];
}

/** Whether two names are one, with a prefix or without it. */
export function isSameName(one: string, other: string): boolean {
  return one === other || one === withoutPrefix(other) || withoutPrefix(one) === other;
}

function withoutPrefix(name: string): string {
  return prefixOf(name) === undefined ? name : name.slice(2);
}

/** Stands for a file that is not there. */
export const NOTHING = "/dev/null";

/** Of `git diff`; the others are those of its option for mnemonic prefixes. */
function prefixOf(name: string): string | undefined {
  return /^([abciow])\//.exec(name)?.[1];
}

/** The name in quotes at the beginning, and what is behind it. */
function readQuoted(text: string, at: number): { readonly name: string; readonly rest: string } {
  let end = 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) throw malformed(at, `the name ${shortened(text)} begins with a quote that is not closed`);
  return { name: unescape(text.slice(1, end), at), rest: text.slice(end + 1) };
}

/** Octal escapes are bytes of UTF-8. */
function unescape(text: string, at: number): string {
  const encoder = new TextEncoder();
  const bytes = Array.from(text.matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gs), ([whole, octal, char, plain]) => {
    if (octal !== undefined) return [Number.parseInt(octal, 8)];
    if (char === undefined) return [...encoder.encode(plain)];
    const byte = ESCAPES.get(char);
    if (byte === undefined)
      throw malformed(at, `the name "${shortened(text)}" has ${whole}, which is no escape of git`);
    return [byte];
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes.flat()));
  } catch {
    throw malformed(at, `the name "${shortened(text)}" is not UTF-8, which all names here are`);
  }
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
