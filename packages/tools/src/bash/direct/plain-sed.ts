import { readInputs } from "../commands/read-inputs.ts";
import type { ShellCommand } from "../shell-command.ts";
import { lineStart } from "./line-start.ts";

/** A line, or the lines from one to another, which is the last for `$`. */
const RANGE = /^([1-9]\d{0,8})(?:,([1-9]\d{0,8}|\$))?p$/;

/** `sed -n` that prints lines by their numbers, of one input: how a part of a file is read. */
export const plainSed: ShellCommand & Required<Pick<ShellCommand, "takes">> = {
  name: "sed",
  takes: ([option, script = "", file = "-", ...more]) =>
    option === "-n" && RANGE.test(script) && more.length === 0 && (file === "-" || !file.startsWith("-")),
  async run([, script = "", ...files], context) {
    const [, first = "1", last = first] = RANGE.exec(script) ?? [];
    const [input] = await readInputs(files, context);
    if (input?.bytes === undefined) {
      const isFolder = input?.problem === "Is a directory";
      const what = isFolder ? `read error on ${input.name}` : `can't read ${input?.name}`;
      return { stderr: `sed: ${what}: ${input?.problem}\n`, exitCode: isFolder ? 4 : 2 };
    }
    const { bytes } = input;
    const from = lineStart(bytes, Number(first));
    // A range that ends before it begins is its first line.
    const end = last === "$" ? bytes.length : lineStart(bytes, Math.max(Number(first), Number(last)) + 1);
    return { stdout: bytes.subarray(from, end) };
  },
};
