import type { GitCall } from "./git-call.ts";

/** Writes a name as git does in what people read: in quotes where it has what would be mistaken. */
export type QuotePath = (name: string) => string;

/** For what git writes as it is. */
export const asItIs: QuotePath = (name) => name;

/** How this call quotes names: `core.quotePath` says whether what is not ASCII is written as the bytes of its UTF-8. */
export async function pathQuoter({ git, settings }: Pick<GitCall, "git" | "settings">): Promise<QuotePath> {
  const value = settings.get("core.quotepath") ?? (await git.config("core.quotePath"));
  return value !== undefined && /^(false|no|off|0|)$/i.test(value) ? (name) => quoted(name, PLAIN) : quotePath;
}

/** With `core.quotePath` on, as it is unless somebody turned it off. */
export function quotePath(name: string): string {
  return quoted(name, ASCII);
}

/** Of short status: a blank wants quotes too. */
export function withBlanksQuoted(quote: QuotePath): QuotePath {
  return (name) => {
    const text = quote(name);
    return text === name && name.includes(" ") ? `"${name}"` : text;
  };
}

// oxlint-disable no-control-regex -- these are what has to be written otherwise
const PLAIN = /[\u0000-\u001f\u007f"\\]/gu;
const ASCII = /[\u0000-\u001f"\\\u007f-\u{10ffff}]/gu;
// oxlint-enable no-control-regex

const LETTERS: Readonly<Record<string, string>> = {
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  '"': '"',
  "\\": "\\",
};

function quoted(name: string, special: RegExp): string {
  const text = name.replace(special, (char) => `\\${LETTERS[char] ?? octal(char)}`);
  return text === name ? name : `"${text}"`;
}

function octal(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => byte.toString(8).padStart(3, "0")).join("\\");
}
