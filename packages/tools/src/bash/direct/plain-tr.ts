import type { ShellCommand } from "../shell-command.ts";

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\" };

/** A set of ASCII characters and ranges, the latter going up. */
const SET = /^(?:[a-zA-Z0-9 _.,:;/=+@#]-[a-zA-Z0-9]|[a-zA-Z0-9 _.,:;/=+@#"'(){}<>|&]|\\[nt\\])+$/;

/** `tr` and `tr -d` of such sets. */
export const plainTr: ShellCommand & Required<Pick<ShellCommand, "takes">> = {
  name: "tr",
  takes: (args) => {
    const sets = args[0] === "-d" ? args.slice(1) : args;
    return sets.length === (args[0] === "-d" ? 1 : 2) && sets.every((set) => set !== undefined && isPlain(set));
  },
  async run(args, { stdin }) {
    const [from = "", to = ""] = args[0] === "-d" ? args.slice(1) : args;
    const [before, after] = [membersOf(from), membersOf(to)];
    const bytes = stdin.bytes();
    if (after.length === 0) return { stdout: bytes.filter((byte) => !before.includes(byte)) };
    const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const [at, byte] of before.entries()) table[byte] = after[at] ?? after.at(-1) ?? byte;
    return { stdout: bytes.map((byte) => table[byte] ?? byte) };
  },
};

function isPlain(set: string): boolean {
  return SET.test(set) && Array.from(set.matchAll(/(.)-(.)/gs)).every(([, first = "", last = ""]) => first <= last);
}

function membersOf(set: string): number[] {
  return Array.from(set.matchAll(/\\(.)|(.)-(.)|(.)/gs)).flatMap(([, escape, first, last, one = ""]) => {
    const from = (first ?? (escape === undefined ? one : (ESCAPES[escape] ?? escape))).charCodeAt(0);
    const to = last?.charCodeAt(0) ?? from;
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}
