import { checkLength } from "./byte-text.ts";
import type { Regex } from "./regex/regex.ts";
import type { Span } from "./regex/automaton.ts";

/** What takes the place of a match: text, and groups of it by number. */
export type Replacement = readonly (string | number)[];

/** Of `sub` and `gsub`, where only `&` and backslashes before it mean something. */
export function replacementOf(text: string): Replacement {
  if (!/[&\\]/.test(text)) return [text];
  const parts: (string | number)[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("\\\\\\\\", at)) {
      plain += "\\\\";
      at += 3;
    } else if (text.startsWith("\\\\\\&", at)) {
      plain += "\\&";
      at += 3;
    } else if (text.startsWith("\\\\&", at)) {
      parts.push(`${plain}\\`, 0);
      plain = "";
      at += 2;
    } else if (text.startsWith("\\&", at)) {
      plain += "&";
      at += 1;
    } else if (text[at] === "&") {
      parts.push(plain, 0);
      plain = "";
    } else plain += text.charAt(at);
  }
  parts.push(plain);
  return parts;
}

/** Of `gensub`, where a backslash is in front of groups, too. */
export function generalReplacementOf(text: string): Replacement {
  const parts: (string | number)[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const next = char === "\\" ? text.charAt(at + 1) : "";
    if (char === "&" || /\d/.test(next)) {
      parts.push(plain, char === "&" ? 0 : Number(next));
      plain = "";
    } else if (next === "&" || next === "\\") plain += next;
    else {
      plain += char + next;
    }
    if (next !== "") at++;
  }
  parts.push(plain);
  return parts;
}

export interface Substituted {
  readonly text: string;
  readonly count: number;
}

/** Replaces match number `which`, or all of them for 0. */
export function substituteIn(text: string, regex: Regex, replacement: Replacement, which: number): Substituted {
  const parts: string[] = [];
  const pieceOf = pieceMaker(text, regex, replacement);
  let [copied, count, length] = [0, 0, 0];
  for (const match of matchesOf(text, regex, which)) {
    const piece = pieceOf(match);
    parts.push(text.slice(copied, match.start), piece);
    length += match.start - copied + piece.length;
    checkLength(length);
    copied = match.end;
    count++;
  }
  if (count === 0) return { text, count };
  parts.push(text.slice(copied));
  checkLength(length + text.length - copied);
  return { text: parts.join(""), count };
}

/** Those that are replaced; none that is empty just behind another one. */
function* matchesOf(text: string, regex: Regex, which: number): Generator<Span> {
  let [seen, lastEnd] = [0, -1];
  for (let at = 0; at <= text.length;) {
    const match = regex.find(text, at);
    if (!match) return;
    const isEmpty = match.start === match.end;
    if (!isEmpty || match.start !== lastEnd) {
      seen++;
      if (which === 0 || seen === which) yield match;
      if (seen === which) return;
    }
    lastEnd = match.end;
    at = isEmpty ? match.end + ((text.codePointAt(match.end) ?? 0) > 0xffff ? 2 : 1) : match.end;
  }
}

function pieceMaker(text: string, regex: Regex, replacement: Replacement): (match: Span) => string {
  const [first = ""] = replacement;
  if (replacement.length === 1 && typeof first === "string") return () => first;
  const hasGroups = replacement.some((part) => typeof part === "number" && part > 0);
  return (match) => expand(replacement, text, match, hasGroups ? regex.captures(text, match) : undefined);
}

function expand(replacement: Replacement, text: string, match: Span, captures: readonly number[] | undefined): string {
  let out = "";
  for (const part of replacement) {
    if (typeof part === "string") out += part;
    else if (part === 0) out += text.slice(match.start, match.end);
    else {
      const start = captures?.[2 * part] ?? -1;
      if (start >= 0) out += text.slice(start, captures?.[2 * part + 1]);
    }
  }
  return out;
}
