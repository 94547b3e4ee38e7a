/** What came on a connection and was not looked at yet. */
export class Inbox {
  readonly #texts: string[] = [];
  readonly #end = Promise.withResolvers<string>();
  #over: string | undefined;
  #wake: () => void = () => {};

  take(text: string): void {
    this.#texts.push(text);
    this.#wake();
  }

  /** Nothing comes any more; `how` it ended. */
  end(how: string): void {
    this.#over ??= how;
    this.#end.resolve(this.#over);
    this.#wake();
  }

  /** How the connection ended, once it has. */
  get ended(): Promise<string> {
    return this.#end.promise;
  }

  /** The next piece; waits for it. Throws when the connection ends instead. */
  async next(): Promise<string> {
    for (;;) {
      const text = this.#texts.shift();
      if (text !== undefined) return text;
      if (this.#over !== undefined) throw new Error(`nothing more came: ${this.#over}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
