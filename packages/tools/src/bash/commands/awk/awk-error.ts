/** What ends a program: a mistake in it, or something that cannot be done. The message is without awk's name. */
export class AwkError extends Error {
  override readonly name = "AwkError";
  readonly code: number;

  /** `code` is what awk ends with. */
  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}
