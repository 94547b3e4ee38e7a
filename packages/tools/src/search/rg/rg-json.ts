import type { GrepFile, GrepLine } from "@tenrec/protocol";
import { byteLength } from "../../cap-output.ts";

interface Stats {
  searches_with_match: number;
  bytes_printed: number;
  matched_lines: number;
  matches: number;
}

/**
 * The messages of `rg --json`, of which times and bytes that were searched are left out: a line for the begin and the end of
 * each file that matches, one for each match or line of context, and a summary.
 */
export class JsonPrinter {
  readonly #write: (text: string) => void;
  readonly #numbered: boolean;
  readonly #all: Stats = newStats();
  #file: { readonly name: string; readonly stats: Stats; binary: number | null } | undefined;

  constructor(write: (text: string) => void, numbered: boolean) {
    this.#write = write;
    this.#numbered = numbered;
  }

  add(name: string, event: GrepFile): void {
    if (event.continued !== true) {
      this.#end();
      this.#file = { name, stats: { ...newStats(), searches_with_match: 1 }, binary: null };
      this.#message("begin", { path: { text: name } });
    }
    if (this.#file && event.binary !== undefined) this.#file.binary = event.binary;
    for (const block of blocks(event.lines)) this.#block(name, block);
  }

  /** The end of the last file, and the summary. */
  end(): void {
    this.#end();
    this.#write(`${JSON.stringify({ type: "summary", data: { stats: this.#all } })}\n`);
  }

  #end(): void {
    if (!this.#file) return;
    const { name, stats, binary } = this.#file;
    this.#file = undefined;
    for (const key of Object.keys(stats) as (keyof Stats)[]) this.#all[key] += stats[key];
    this.#message("end", { path: { text: name }, binary_offset: binary, stats });
  }

  #block(name: string, lines: readonly GrepLine[]): void {
    const [first] = lines;
    if (!first) return;
    const { text, submatches } = together(lines);
    const data = {
      path: { text: name },
      lines: { text },
      line_number: this.#numbered ? first.line : null,
      absolute_offset: first.offset ?? 0,
      submatches: first.match ? submatches : [],
    };
    if (this.#file && first.match) {
      this.#file.stats.matched_lines += lines.length;
      this.#file.stats.matches += submatches.length;
    }
    this.#message(first.match ? "match" : "context", data);
  }

  #message(type: string, data: object): void {
    const text = `${JSON.stringify({ type, data })}\n`;
    if (this.#file) this.#file.stats.bytes_printed += byteLength(text);
    this.#write(text);
  }
}

interface Submatch {
  readonly match: { text: string };
  readonly start: number;
  end: number;
}

/** The text of lines with their ends, and where in it they match, in bytes. */
function together(lines: readonly GrepLine[]): { readonly text: string; readonly submatches: Submatch[] } {
  let text = "";
  const submatches: Submatch[] = [];
  for (const line of lines) {
    const base = byteLength(text);
    for (const [index, [from, to]] of (line.spans ?? []).entries()) {
      const start = base + byteLength(line.text.slice(0, from));
      const end = base + byteLength(line.text.slice(0, to));
      const last = submatches.at(-1);
      if (last && index === 0 && line.continues) {
        last.match.text += `\n${line.text.slice(from, to)}`;
        last.end = end;
      } else submatches.push({ match: { text: line.text.slice(from, to) }, start, end });
    }
    text += line.text + endOf(line);
  }
  return { text, submatches };
}

function endOf({ crlf, open }: GrepLine): string {
  if (crlf) return "\r\n";
  return open ? "" : "\n";
}

function newStats(): Stats {
  return { searches_with_match: 0, bytes_printed: 0, matched_lines: 0, matches: 0 };
}

/** Lines that a match goes over stand together. */
function blocks(lines: readonly GrepLine[]): GrepLine[][] {
  const found: GrepLine[][] = [];
  for (const line of lines) {
    if (line.continues) found.at(-1)?.push(line);
    else found.push([line]);
  }
  return found;
}
