import { TenrecError } from "@tenrec/protocol";

/** `perl`: as PCRE has it. `rust`: as the engine of searches has it. They differ in classes. */
export type Dialect = "perl" | "rust";

export interface PatternFlags {
  readonly fold: boolean;
  readonly dotAll: boolean;
  readonly lines: boolean;
  readonly blanks: boolean;
}

/** Where a parse of a pattern is. */
export interface PatternCursor {
  readonly pattern: string;
  readonly dialect: Dialect;
  at: number;
  depth: number;
  groups: number;
  readonly names: Map<string, number>;
  flags: PatternFlags;
}

const MAX_DEPTH = 200;

export function enter(cursor: PatternCursor): void {
  if (++cursor.depth > MAX_DEPTH) refuse(cursor, `it is nested more than ${MAX_DEPTH} deep`);
}

export function peek({ pattern, at }: PatternCursor): string {
  const code = pattern.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

export function take(cursor: PatternCursor): string {
  const char = peek(cursor);
  cursor.at += char.length;
  return char;
}

export function takeIf(cursor: PatternCursor, text: string): boolean {
  if (!cursor.pattern.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** What a sticky expression matches here. */
export function takeMatch(cursor: PatternCursor, expression: RegExp): RegExpExecArray | undefined {
  const sticky = new RegExp(expression, "yu");
  sticky.lastIndex = cursor.at;
  const match = sticky.exec(cursor.pattern);
  if (match) cursor.at += match[0].length;
  return match ?? undefined;
}

export function refuse({ pattern }: Pick<PatternCursor, "pattern">, reason: string): never {
  throw new TenrecError("EINVAL", { path: pattern.slice(0, 1000), reason });
}
