import { TenrecError } from "@tenrec/protocol";

/** What `(?flags)` sets. */
export interface Flags {
  /** `i` */
  readonly fold: boolean;
  /** `s` */
  readonly dotAll: boolean;
  /** `m`, on from the start as in ripgrep. */
  readonly lines: boolean;
  /** `U` */
  readonly swapGreed: boolean;
  /** `u`, on from the start. */
  readonly unicode: boolean;
  /** `x` */
  readonly verbose: boolean;
  /** `R` */
  readonly crlf: boolean;
}

/** A place in a pattern that is being parsed. */
export interface Cursor {
  readonly pattern: string;
  at: number;
  flags: Flags;
  /** Open groups and classes. */
  depth: number;
  readonly names: Set<string>;
}

const MAX_DEPTH = 250;

export function refuse({ pattern }: { readonly pattern: string }, reason: string): never {
  throw new TenrecError("EINVAL", { path: pattern.slice(0, 1000), reason });
}

export function peek(cursor: Cursor): string {
  const code = cursor.pattern.codePointAt(cursor.at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** The next character, and past it; `""` at the end. */
export function take(cursor: Cursor): string {
  const char = peek(cursor);
  cursor.at += char.length;
  return char;
}

export function takeIf(cursor: Cursor, text: string): boolean {
  if (!cursor.pattern.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Everything up to `end`, and past it. */
export function takeUntil(cursor: Cursor, end: string, what: string): string {
  const at = cursor.pattern.indexOf(end, cursor.at);
  if (at === -1) refuse(cursor, `${what} is not closed`);
  const text = cursor.pattern.slice(cursor.at, at);
  cursor.at = at + end.length;
  return text;
}

/** In verbose mode blanks and comments say nothing. */
export function skipBlanks(cursor: Cursor): void {
  if (!cursor.flags.verbose) return;
  for (;;) {
    const char = peek(cursor);
    if (char === "#") {
      const end = cursor.pattern.indexOf("\n", cursor.at);
      cursor.at = end === -1 ? cursor.pattern.length : end + 1;
    } else if (/^\s$/.test(char)) cursor.at += char.length;
    else return;
  }
}

export function enter(cursor: Cursor): void {
  if (++cursor.depth > MAX_DEPTH) refuse(cursor, `it is nested more than ${MAX_DEPTH} deep`);
}
