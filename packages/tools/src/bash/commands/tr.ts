import type { CommandOutput, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";
import { breathe } from "./pieces.ts";
import { bytesOfSet } from "./tr-set.ts";

/** What becomes of each byte: another one, nothing (-1), and whether a run of it comes out as one. */
interface Plan {
  readonly map: Int16Array;
  readonly squeezed: Uint8Array;
}

/** Bytes between two turns of the event loop. */
const PIECE = 192 * 1024;

/** In place of just-bash's, which knows no NUL, and does not let go of the event loop. Bytes, as GNU's takes them. */
export const tr: ShellCommand = defineCommand(
  "tr",
  {
    short: "cCdst",
    long: { complement: "c", delete: "d", "squeeze-repeats": "s", "truncate-set1": "t" },
    stopsAtOperand: true,
  },
  async (options, { stdin, signal }): Promise<CommandOutput> => {
    const { map, squeezed } = planOf(options);
    const input = stdin.bytes();
    const output = new Uint8Array(input.length);
    let length = 0;
    let last = -1;
    for (let start = 0; start < input.length; start += PIECE) {
      if (start > 0) await breathe(signal);
      const end = Math.min(input.length, start + PIECE);
      for (let at = start; at < end; at++) {
        const byte = map[input[at] ?? 0] ?? -1;
        if (byte === -1 || (byte === last && squeezed[byte])) continue;
        output[length++] = byte;
        last = byte;
      }
    }
    return { stdout: output.subarray(0, length) };
  },
);

function planOf(options: ParsedOptions): Plan {
  const [first, second, ...more] = options.operands;
  const deletes = options.has("d");
  const squeezes = options.has("s");
  checkOperands(options.operands, deletes, squeezes);
  if (more.length > 0) throw new UsageError(`extra operand '${more[0]}'`);
  const named = bytesOfSet(first ?? "");
  const from = options.has("c", "C") ? allBut(named) : named;
  const map = Int16Array.from({ length: 256 }, (_, byte) => byte);
  const squeezed = new Uint8Array(256);
  if (deletes) for (const byte of from) map[byte] = -1;
  else if (second !== undefined) translate(map, from, second, options.has("t"));
  const last = deletes || second !== undefined ? second : first;
  if (squeezes) {
    const set = last === first && second === undefined ? from : bytesOfSet(second ?? "", from.length);
    for (const byte of set) squeezed[byte] = 1;
  }
  return { map, squeezed };
}

function checkOperands([first, second]: readonly string[], deletes: boolean, squeezes: boolean): void {
  if (first === undefined) throw new UsageError("missing operand");
  if (second === undefined && deletes === squeezes)
    throw new UsageError(
      `missing operand after '${first}'\nTwo strings must be given when ${deletes ? "both deleting and squeezing repeats" : "translating"}.`,
    );
  if (second !== undefined && deletes && !squeezes)
    throw new UsageError(
      `extra operand '${second}'\nOnly one string may be given when deleting without squeezing repeats.`,
    );
}

function translate(map: Int16Array, from: readonly number[], second: string, isTruncated: boolean): void {
  const to = bytesOfSet(second, from.length);
  if (to.length === 0 && !isTruncated) throw new UsageError("when not truncating set1, string2 must be non-empty");
  for (const [at, byte] of from.entries()) {
    const other = to[at] ?? (isTruncated ? undefined : to.at(-1));
    if (other !== undefined) map[byte] = other;
  }
}

function allBut(bytes: readonly number[]): number[] {
  const set = new Set(bytes);
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !set.has(byte));
}
