export interface SedFile {
  /** `-` for standard input. */
  readonly name: string;
  readonly text: string;
}

/** The lines of one or more texts, one after another. */
export class SedInput {
  readonly #files: readonly SedFile[];
  readonly #end: string;
  #file = 0;
  #at = 0;
  /** Of the line that was read last; from 1. */
  number = 0;

  constructor(files: readonly SedFile[], end: string) {
    this.#files = files.filter(({ text }) => text !== "");
    this.#end = end;
  }

  /** The file that the last line is of. */
  get name(): string {
    return this.#files[Math.min(this.#file, this.#files.length - 1)]?.name ?? "-";
  }

  get isLast(): boolean {
    const file = this.#files[this.#file];
    return !file || (this.#at >= file.text.length && this.#file + 1 >= this.#files.length);
  }

  /** The next line, and whether it has an end. */
  read(): { readonly text: string; readonly hasEnd: boolean } | undefined {
    if (this.isLast) return undefined;
    if (this.#at >= (this.#files[this.#file]?.text.length ?? 0)) {
      this.#file++;
      this.#at = 0;
    }
    const { text } = this.#files[this.#file] ?? { text: "" };
    const found = text.indexOf(this.#end, this.#at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(this.#at, end);
    this.#at = end + 1;
    this.number++;
    return { text: line, hasEnd: found !== -1 };
  }
}
