import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { echo } from "./echo.ts";

/** Characters that stand for bytes from 0x80 on while just-bash formats: its escapes make characters of them. */
const FIRST = 0xf700;

/** In front of just-bash's: `\\xff` and `\\377` are one byte each, not a character that takes two. */
const printf: ShellCommand = {
  name: "printf",
  callsOriginal: true,
  async run(args, context: CommandContext): Promise<CommandOutput> {
    const hasEscapes = printfEscapes(args);
    const isMeant = (arg: string, at: number): boolean => hasEscapes(at) && BYTE_ESCAPE.test(arg);
    // What stands for bytes must stand for nothing else.
    if (!args.some(isMeant) || args.some((arg) => STAND_INS.test(arg))) return context.original(args);
    const result = await context.original(args.map((arg, at) => (isMeant(arg, at) ? hideBytes(arg) : arg)));
    return typeof result.stdout === "string" ? { ...result, stdout: showBytes(result.stdout) } : result;
  },
};

const BYTE_ESCAPE = /\\(x[89a-f]|0?[23][0-7][0-7])/i;
const STAND_INS = /[\uF700-\uF7FF]/;

/** The format, and what `%b` prints where nothing else prints arguments. */
function printfEscapes(args: readonly string[]): (at: number) => boolean {
  if (args[0] === "-v") return () => false;
  const format = args[0] === "--" ? 1 : 0;
  const kinds = args[format]?.replaceAll("%%", "").match(/%[^a-zA-Z]*[a-zA-Z]/g) ?? [];
  const isAllEscapes = kinds.length > 0 && kinds.every((kind) => kind.endsWith("b"));
  return (at) => at === format || (at > format && isAllEscapes);
}

function hideBytes(text: string): string {
  return text.replace(/\\\\|\\x([89a-f][\da-f])|\\0?([23][0-7][0-7])/gi, (all, hex?: string, octal?: string) => {
    if (hex === undefined && octal === undefined) return all;
    return String.fromCharCode(
      FIRST + (hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16)),
    );
  });
}

function showBytes(text: string): Uint8Array {
  const parts = text.split(/([\uF700-\uF7FF])/);
  const bytes = parts.map((part, at) =>
    at % 2 === 1 ? String.fromCharCode(part.charCodeAt(0) - FIRST) : latin1(new TextEncoder().encode(part)),
  );
  return fromLatin1(bytes.join(""));
}

export const PRINT_COMMANDS: readonly ShellCommand[] = [printf, echo];
