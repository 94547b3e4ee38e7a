import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { fromLatin1, latin1 } from "./read-inputs.ts";

/** Characters that stand for bytes from 0x80 on while just-bash formats: its escapes make characters of them. */
const FIRST = 0xf700;

/** In front of just-bash's: `\xff` and `\377` are one byte each, not a character that takes two. */
function bytesKept(name: string, hasEscapes: (args: readonly string[]) => boolean): ShellCommand {
  return {
    name,
    async run(args, context: CommandContext): Promise<CommandOutput> {
      const isPlain = !hasEscapes(args) || !args.some((arg) => /\\(x[89a-f]|0?[23][0-7][0-7])/i.test(arg));
      if (isPlain) return context.original(args);
      const result = await context.original(args.map(hideBytes));
      return typeof result.stdout === "string" ? { ...result, stdout: showBytes(result.stdout) } : result;
    },
  };
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

export const PRINT_COMMANDS: readonly ShellCommand[] = [
  bytesKept("printf", (args) => args[0] !== "-v"),
  bytesKept("echo", (args) => /^-[neE]*e/.test(args[0] ?? "")),
];
