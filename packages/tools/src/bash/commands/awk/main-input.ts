import { AwkError } from "./awk-error.ts";
import { withEscapes } from "./byte-text.ts";
import { RecordReader } from "./record-reader.ts";
import type { Streams } from "./streams.ts";
import { UserText } from "./values.ts";
import type { Variables } from "./variables.ts";

/** What comes next of the input. */
export type Next =
  | "record"
  /** No file is open: `open` is to be called, and it is to be asked again. */
  | "closed"
  /** A file was opened, or has come to its end; only once for each. */
  | "file-begins"
  | "file-ends"
  | "end";

/** The files that the program is for, one after another, as `ARGV` has them when they are needed. */
export class MainInput {
  readonly #variables: Variables;
  readonly #streams: Streams;
  readonly #terminatorPlace: number;
  #argument = 1;
  #hasFile = false;
  #reader: RecordReader | undefined;
  #state: "begins" | "reads" | "ended" = "ended";
  #isOver = false;
  /** Why the file cannot be read. */
  #problem: string | undefined;
  /** What the last record is. */
  record = "";
  /** Writes the file that was rewritten last. */
  #rewrite: (() => Promise<void>) | undefined;
  readonly #rewrites: boolean;
  /** Whether `file-begins` and `file-ends` are told; else they are passed over. */
  readonly tellsFiles: boolean;

  /** `rewrites`: what is printed while a file is read takes its place. */
  constructor(
    variables: Variables,
    streams: Streams,
    how: { readonly tellsFiles: boolean; readonly rewrites: boolean },
  ) {
    this.#variables = variables;
    this.#streams = streams;
    this.#rewrites = how.rewrites;
    this.#terminatorPlace = variables.place("RT");
    this.tellsFiles = how.tellsFiles || how.rewrites;
  }

  next(): Next {
    const variables = this.#variables;
    if (this.#isOver) return "end";
    if (!this.#reader) return "closed";
    if (this.#state === "begins") {
      this.#state = "reads";
      if (this.#rewrites) this.#streams.beginRewriting(variables.text(variables.get("FILENAME")));
      if (this.tellsFiles) return "file-begins";
    }
    if (this.#state === "reads") {
      if (this.#problem !== undefined) throw new AwkError(this.#problem);
      const record = this.#reader.read(variables.recordSeparator, variables.ignoreCase);
      variables.work += this.#reader.takeWork();
      if (record !== undefined) {
        this.record = record;
        variables.records++;
        variables.recordsOfFile++;
        variables.cells[this.#terminatorPlace] = this.#reader.terminator;
        return "record";
      }
      this.#state = "ended";
      this.#endRewriting();
      if (this.tellsFiles) return "file-ends";
    }
    this.#reader = undefined;
    return "closed";
  }

  #endRewriting(): void {
    const variables = this.#variables;
    const suffix = variables.text(variables.get("inplace::suffix")) || variables.text(variables.get("INPLACE_SUFFIX"));
    this.#rewrite ??= this.#streams.endRewriting(suffix);
  }

  /** Writes what a file has become. Also at the end, which may come while one is read. */
  async finish(): Promise<void> {
    if (!this.#rewrite) this.#endRewriting();
    const rewrite = this.#rewrite;
    this.#rewrite = undefined;
    await rewrite?.();
  }

  /** What is left of the file is passed over. */
  skipFile(): void {
    this.#reader?.rest();
    // A file that cannot be read may be passed over where it begins.
    this.#problem = undefined;
  }

  /** Opens the next file, after the assignments before it; without any, standard input. */
  async open(): Promise<void> {
    const variables = this.#variables;
    const args = variables.array("ARGV");
    await this.finish();
    for (;;) {
      const count = Number(variables.text(variables.get("ARGC")));
      if (this.#argument >= count) {
        if (this.#hasFile) this.#isOver = true;
        else await this.#openFile("-");
        return;
      }
      const key = `${this.#argument++}`;
      const name = args.has(key) ? variables.text(args.get(key)) : "";
      if (name === "") continue;
      const [, variable, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(name) ?? [];
      if (variable !== undefined) {
        this.#assign(variable, value);
        continue;
      }
      variables.set("ARGIND", Number(key));
      if (await this.#openFile(name)) return;
    }
  }

  #assign(name: string, value: string): void {
    const text = withEscapes(value, (message) => this.#streams.warn(`awk: ${message}\n`));
    this.#variables.set(name, new UserText(text));
  }

  async #openFile(name: string): Promise<boolean> {
    this.#hasFile = true;
    const variables = this.#variables;
    const { text, problem } = await this.#streams.readFile(name);
    if (problem === "Is a directory") {
      this.#streams.warn(`awk: warning: command line argument \`${name}' is a directory: skipped\n`);
      return false;
    }
    this.#problem = problem && `fatal: cannot open file \`${name}' for reading: ${problem}`;
    if (this.#problem !== undefined && !this.tellsFiles) throw new AwkError(this.#problem);
    variables.set("ERRNO", problem ?? "");
    this.#reader = new RecordReader(text ?? "", variables.regexes);
    this.#state = "begins";
    variables.recordsOfFile = 0;
    variables.set("FILENAME", name);
    return true;
  }

  /** For `getline`, which passes over what is told of files. */
  static isRecordOrEnd(next: Next): boolean {
    if (next === "file-begins" || next === "file-ends")
      throw new AwkError(
        "fatal: getline beside BEGINFILE, ENDFILE or -i inplace is not supported; read the file with getline < file",
      );
    return next === "record" || next === "end";
  }
}
