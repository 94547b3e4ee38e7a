/** An end that the user can do something about: printed as one line, without a stack. */
export class Stop extends Error {
  constructor(message, output = "") {
    super(message);
    this.output = output;
  }
}

/** One line of progress, beside whatever the real script prints on standard output. */
export function say(line) {
  process.stderr.write(`tenrec: ${line}\n`);
}
