import type { Regex, Regexes } from "./regex/regex.ts";

/** The parts of a text, as fields. */
export type Splitter = (text: string) => string[];

/** What separates fields: as `FS` has it. `lines`: a line feed does too, as in paragraphs. */
export function separatorSplitter(separator: string, regexes: Regexes, ignoreCase: boolean, lines: boolean): Splitter {
  if (separator === " ") return splitBlanks;
  if (separator === "") return (text) => (lines ? Array.from(text).filter((char) => char !== "\n") : Array.from(text));
  const isPlain = Array.from(separator).length === 1 && separator !== "\\";
  if (isPlain && !lines) return (text) => (text === "" ? [] : text.split(separator));
  if (separator === "\\" && !lines) return (text) => (text === "" ? [] : text.split("\\"));
  const source =
    isPlain || separator === "\\"
      ? `[${separator === "\\" || separator === "^" ? `\\${separator}` : separator}]`
      : separator;
  return regexSplitter(regexes.get(lines ? `(${source})|\n` : source, ignoreCase));
}

/** Without what is between the parts; a match of nothing separates nothing. */
function regexSplitter(regex: Regex): Splitter {
  return (text) => splitAround(text, regex).parts;
}

export interface Separated {
  readonly parts: string[];
  readonly separators: string[];
}

export function splitAround(text: string, regex: Regex): Separated {
  const parts: string[] = [];
  const separators: string[] = [];
  if (text === "") return { parts, separators };
  let start = 0;
  for (let at = 0; at <= text.length;) {
    const match = regex.find(text, at);
    if (!match) break;
    if (match.start === match.end) {
      at = match.end + 1;
      continue;
    }
    parts.push(text.slice(start, match.start));
    separators.push(text.slice(match.start, match.end));
    start = at = match.end;
  }
  parts.push(text.slice(start));
  return { parts, separators };
}

/** At blanks, tabs and line feeds, those at the ends left out. */
export function splitBlanks(text: string): string[] {
  const parts: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isBlank = code === 32 || code === 9 || code === 10;
    if (isBlank && start !== -1) {
      parts.push(text.slice(start, at));
      start = -1;
    } else if (!isBlank && start === -1) start = at;
  }
  if (start !== -1) parts.push(text.slice(start));
  return parts;
}

/** What matches, as `FPAT` has it: between two fields there is at least a character. */
export function patternSplitter(regex: Regex): Splitter {
  return (text) => matchesIn(text, regex).parts;
}

export function matchesIn(text: string, regex: Regex): Separated {
  const parts: string[] = [];
  const separators: string[] = [];
  let end = 0;
  let canBeEmpty = true;
  for (let at = 0; at <= text.length && text !== "";) {
    const match = regex.find(text, at);
    if (!match) break;
    const isEmpty = match.start === match.end;
    if (isEmpty && !canBeEmpty) {
      // Nothing is no field just behind another one.
      at = match.end + 1;
      canBeEmpty = true;
      continue;
    }
    separators.push(text.slice(end, match.start));
    parts.push(text.slice(match.start, match.end));
    end = match.end;
    at = isEmpty ? match.end + 1 : match.end;
    canBeEmpty = isEmpty;
  }
  separators.push(text.slice(end));
  return { parts, separators };
}

/** By numbers of characters, as `FIELDWIDTHS` has them: `8 2:4 *`. Undefined where they are not valid. */
export function widthSplitter(widths: string): Splitter | undefined {
  const columns = splitBlanks(widths).map((each) => /^(?:(\d+):)?(\d+|\*)$/.exec(each));
  if (columns.some((column, at) => column === null || (column[2] === "*" && at < columns.length - 1))) return undefined;
  return (text) => {
    const chars = Array.from(text);
    const parts: string[] = [];
    let at = 0;
    for (const column of columns) {
      const [, skipped = "0", width = "*"] = column ?? [];
      if (at >= chars.length) break;
      at += Number(skipped);
      const end = width === "*" ? chars.length : at + Number(width);
      parts.push(chars.slice(at, end).join(""));
      at = end;
    }
    return parts;
  };
}
