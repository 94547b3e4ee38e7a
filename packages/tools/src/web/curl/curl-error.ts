/** Why curl stops: its exit code, and the text after `curl: (code) `. */
export class CurlError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
