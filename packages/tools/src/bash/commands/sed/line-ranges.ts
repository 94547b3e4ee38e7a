import type { Address, RangeEnd, SedCommand } from "./sed-program.ts";

/** What an address is held against. */
export interface AddressContext {
  readonly number: number;
  readonly isLast: boolean;
  readonly matches: (address: Extract<Address, { kind: "match" }>) => boolean;
}

/** Which commands' ranges of lines have begun. One for a program and what it works through. */
export class LineRanges {
  /** The last line of the range, or undefined where that is not known before. */
  readonly #open = new Map<SedCommand, number | undefined>();

  constructor(commands: readonly SedCommand[]) {
    for (const command of commands)
      if (command.from?.kind === "line" && command.from.line === 0) this.#open.set(command, undefined);
  }

  isOpen(command: SedCommand): boolean {
    return this.#open.has(command);
  }

  /** Whether the command is for the line. */
  selects(command: SedCommand, context: AddressContext): boolean {
    return command.from === undefined || this.#covers(command, command.from, context) !== command.isNegated;
  }

  #covers(command: SedCommand, from: Address, context: AddressContext): boolean {
    const { to } = command;
    if (!to) return isAt(from, context);
    if (!this.#open.has(command)) {
      if (!isAt(from, context)) return false;
      const end = endOf(to, context.number);
      if (end === undefined || end > context.number) this.#open.set(command, end);
      return true;
    }
    const end = this.#open.get(command);
    if (end === undefined ? isAt(to as Address, context) : context.number >= end) this.#open.delete(command);
    return end === undefined || context.number <= end;
  }
}

function isAt(address: Address, context: AddressContext): boolean {
  switch (address.kind) {
    case "line":
      return context.number === address.line;
    case "step":
      return address.step === 0
        ? context.number === address.first
        : context.number >= address.first && (context.number - address.first) % address.step === 0;
    case "last":
      return context.isLast;
    case "match":
      return context.matches(address);
  }
}

/** The number of a range's last line, where it is known at its first. */
function endOf(to: RangeEnd, number: number): number | undefined {
  switch (to.kind) {
    case "line":
      return to.line;
    case "more":
      return number + to.lines;
    case "multiple":
      return to.of === 0 ? number : (Math.floor(number / to.of) + 1) * to.of;
    default:
      return undefined;
  }
}
