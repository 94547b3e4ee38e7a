const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A name of a diff's header: what may follow it after a tab is left out, and git's quotes are undone. */
export function readName(text: string): string {
  const tab = text.indexOf("\t");
  if (!text.startsWith('"')) return tab === -1 ? text.trimEnd() : text.slice(0, tab);
  return quotedNames(text)[0] ?? text;
}

/** The two names of `diff --git`. Undefined when they are not the same and cannot be told apart. */
export function readNames(text: string): readonly [string, string] | undefined {
  if (text.includes('"')) {
    const names = quotedNames(text);
    return names.length === 2 ? [names[0]!, names[1]!] : undefined;
  }
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

/** Stands for a file that is not there. */
export const NOTHING = "/dev/null";

/** Of `git diff`; the others are those of its option for mnemonic prefixes. */
function prefixOf(name: string): string | undefined {
  return /^([abciow])\//.exec(name)?.[1];
}

/** Names in quotes or without, between blanks. */
function quotedNames(text: string): string[] {
  const names: string[] = [];
  for (const [, quoted, plain] of text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/gs)) {
    names.push(quoted === undefined ? (plain ?? "") : unescape(quoted));
  }
  return names;
}

/** Octal escapes are bytes of UTF-8. */
function unescape(text: string): string {
  const encoder = new TextEncoder();
  const bytes = Array.from(text.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs), ([, octal, char, plain]) => {
    if (octal !== undefined) return [Number.parseInt(octal, 8) & 0xff];
    if (char !== undefined) return [ESCAPES[char] ?? char.charCodeAt(0)];
    return [...encoder.encode(plain ?? "")];
  });
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(Uint8Array.from(bytes.flat()));
}
