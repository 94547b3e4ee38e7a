/** Where sed prints to. A last line without an end gets one only if something follows it. */
export class SedOutput {
  readonly #chunks: string[] = [];
  readonly #end: string;
  #lacksEnd = false;
  /** Characters so far. */
  length = 0;

  /** `end` is of lines. */
  constructor(end: string) {
    this.#end = end;
  }

  line(text: string, hasEnd: boolean): void {
    const whole = (this.#lacksEnd ? this.#end : "") + text + (hasEnd ? this.#end : "");
    this.#lacksEnd = !hasEnd;
    this.#chunks.push(whole);
    this.length += whole.length;
  }

  /** As it is. */
  text(text: string): void {
    if (text === "") return;
    this.complete();
    this.#chunks.push(text);
    this.length += text.length;
  }

  /** Gives the last line the end that it lacks. */
  complete(): void {
    if (this.#lacksEnd) this.#chunks.push(this.#end);
    this.#lacksEnd = false;
  }

  take(): string {
    return this.#chunks.splice(0).join("");
  }
}
