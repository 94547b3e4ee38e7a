import { Buffer } from "node:buffer";
import type { FileSystem, GrepFile, GrepLine, Search } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { parseRipgrepArguments, type RipgrepCall, type RipgrepShow } from "./with-ripgrep-arguments.ts";

export interface RipgrepOutput {
  readonly stdout: string;
  readonly exit: number;
}

/** Runs `rg` with these arguments over a search; gives the name of an option that the port does not have. */
export async function runRipgrep(
  fs: FileSystem,
  search: Search,
  args: readonly string[],
  cwd: string,
): Promise<RipgrepOutput | string> {
  const call = parseRipgrepArguments(args);
  if (typeof call === "string") return call;
  const at = (path: string): string => fs.resolvePath(`/${cwd}`, path);
  try {
    const printer = await print(fs, search, call, at);
    return { stdout: call.show.quiet ? "" : printer.out.join(""), exit: printer.out.length > 0 ? 0 : 1 };
  } catch (error) {
    if (hasCode(error, "EINVAL") || hasCode(error, "ENOENT")) return { stdout: "", exit: 2 };
    throw error;
  }
}

async function print(
  fs: FileSystem,
  search: Search,
  call: RipgrepCall,
  at: (path: string) => string,
): Promise<Printer> {
  const path = call.operands.length > 0 ? call.operands.map(at) : at(".");
  const ignoreFiles = (call.query.ignoreFiles ?? []).map(at);
  const query = { ...call.query, path, ignoreFiles, pattern: await patterns(fs, call, at) };
  const below = at(".") === "/" ? 1 : at(".").length + 1;
  const name = (full: string): string => full.slice(below).replaceAll("/", call.show.pathSeparator);
  const printer = new Printer(call.show, call.show.fileName ?? (await namesFiles(fs, call, at)), name);
  if (call.files) {
    for await (const event of search.glob({ ...query, pattern: "**" })) {
      if (event.type === "entry" && event.kind === "file") printer.out.push(`${name(event.path)}\n`);
    }
  } else for await (const event of search.grep(query)) if (event.type === "file") printer.file(event, query.report);
  return printer;
}

async function patterns(
  fs: FileSystem,
  { query, patternFiles }: RipgrepCall,
  at: (path: string) => string,
): Promise<string[]> {
  const texts = await Promise.all(patternFiles.map((path) => fs.readFile(at(path))));
  return [...[query.pattern].flat(), ...texts.flatMap((text) => text.replace(/\n$/, "").split("\n"))];
}

/** Names are printed unless one file is searched. */
async function namesFiles(fs: FileSystem, { operands }: RipgrepCall, at: (path: string) => string): Promise<boolean> {
  const [only] = operands;
  if (only === undefined || operands.length > 1) return true;
  return (await fs.stat(at(only))).type === "directory";
}

class Printer {
  readonly out: string[] = [];
  readonly #show: RipgrepShow;
  readonly #named: boolean;
  readonly #name: (path: string) => string;
  #last: { readonly path: string; readonly line: number } | undefined;

  constructor(show: RipgrepShow, named: boolean, name: (path: string) => string) {
    this.#show = show;
    this.#named = named;
    this.#name = name;
  }

  file(event: GrepFile, report: string | undefined): void {
    const name = this.#name(event.path);
    const end = this.#show.nul ? "\0" : "\n";
    if (report?.startsWith("files")) this.out.push(name + end);
    else if (report?.startsWith("count")) {
      const mark = this.#show.nul ? "\0" : ":";
      this.out.push(this.#named ? `${name}${mark}${event.matches}\n` : `${event.matches}\n`);
    } else if (event.binary !== undefined && event.lines.length === 0) {
      const notice = `binary file matches (found "\\0" byte around offset ${event.binary})\n`;
      this.out.push(this.#named ? `${name}: ${notice}` : notice);
    } else this.#lines(event, name);
  }

  #lines(event: GrepFile, name: string): void {
    if (this.#show.heading && this.#named && event.continued !== true) {
      this.out.push(this.out.length > 0 ? `\n${name}\n` : `${name}\n`);
      this.#last = undefined;
    }
    for (const line of event.lines) this.#line(event.path, line);
  }

  #line(path: string, line: GrepLine): void {
    const { only, vimgrep, contextSeparator: separator } = this.#show;
    const gap = this.#last && (this.#last.path !== path || line.line > this.#last.line + 1);
    if (gap && separator !== undefined) this.out.push(`${separator}\n`);
    this.#last = { path, line: line.line };
    const spans = (line.spans ?? []).filter((_, index) => !(line.continues && index === 0 && vimgrep));
    if (line.match && only) for (const span of spans) this.#print(path, line, span[0], line.text.slice(...span));
    else if (line.match && vimgrep) for (const [start] of spans) this.#print(path, line, start, line.text);
    else this.#print(path, line, spans[0]?.[0], line.text);
  }

  #print(path: string, line: GrepLine, start: number | undefined, text: string): void {
    const { nul, heading, lineNumber, column, maxColumns, only, crlf } = this.#show;
    const mark = line.match ? ":" : "-";
    const parts: (string | number)[] = [];
    if (lineNumber) parts.push(line.line);
    // Where there is no match, as with `-v`, there is no column.
    if (column && start !== undefined) parts.push(Buffer.byteLength(line.text.slice(0, start)) + 1);
    const name = this.#named && !heading ? `${this.#name(path)}${nul ? "\0" : mark}` : "";
    const shown = Buffer.byteLength(text) > maxColumns ? "[Omitted long matching line]" : text;
    const end = (only || line.open ? crlf : line.crlf) ? "\r\n" : "\n";
    this.out.push(name + parts.map((part) => `${part}${mark}`).join("") + shown + end);
  }
}
