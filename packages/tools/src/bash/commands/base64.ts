import { fromLatin1, latin1 } from "../encoding.ts";
import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { UsageError } from "./parse-options.ts";
import { breathe } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";

/** Bytes between two turns of the event loop; in whole groups of three. */
const PIECE = 192 * 1024;

/** In place of just-bash's, which does not let go of the event loop, and decodes what is no base64. */
export const base64: ShellCommand = defineCommand(
  "base64",
  { short: "diw:", long: { decode: "d", "ignore-garbage": "i", "wrap=": "w" } },
  async (options, context) => {
    const [input] = await readInputs(options.operands, context);
    if (input?.bytes === undefined) return { stderr: `base64: ${input?.name}: ${input?.problem}\n`, exitCode: 1 };
    if (options.has("d")) return decode(latin1(input.bytes), options.has("i"));
    const width = Number(options.value("w") ?? 76);
    if (!Number.isInteger(width) || width < 0) throw new UsageError(`invalid wrap size: '${options.value("w")}'`);
    let text = "";
    for (let at = 0; at < input.bytes.length; at += PIECE) {
      if (at > 0) await breathe(context.signal);
      text += btoa(latin1(input.bytes.subarray(at, at + PIECE)));
    }
    if (width === 0) return { stdout: text };
    const lines: string[] = [];
    for (let at = 0; at < text.length; at += width) lines.push(`${text.slice(at, at + width)}\n`);
    return { stdout: lines.join("") };
  },
);

function decode(text: string, ignoresGarbage: boolean): { stdout?: Uint8Array; stderr?: string; exitCode?: number } {
  const given = text.replace(ignoresGarbage ? /[^A-Za-z0-9+/=]/g : /\n/g, "");
  const [valid = ""] = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(given) ?? [];
  const rest = given.slice(valid.length);
  // A group that is begun still has whole bytes.
  const begun = /^[A-Za-z0-9+/]{2,3}(?![A-Za-z0-9+/])/.exec(rest)?.[0] ?? "";
  const stdout = fromLatin1(atob(valid) + (begun ? atob(begun.padEnd(4, "=")) : ""));
  return rest === "" ? { stdout } : { stdout, stderr: "base64: invalid input\n", exitCode: 1 };
}
