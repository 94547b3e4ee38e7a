import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { problemOf } from "../problem-of.ts";

/** In front of just-bash's, which knows `-c` as its first word and files, and nothing else. */
function shellNamed(name: string): ShellCommand {
  return {
    name,
    callsOriginal: true,
    async run(args, context): Promise<CommandOutput> {
      const call = parseCall(args);
      if (call.problem !== undefined) return { stderr: `${name}: ${call.problem}\n`, exitCode: 2 };
      const { settings, operands } = call;
      const prefix = settings.map((setting) => `set ${setting}; `).join("");
      const [first, ...rest] = operands;
      if (call.isCommand) {
        if (first === undefined) return { stderr: `${name}: -c: option requires an argument\n`, exitCode: 2 };
        return context.original(["-c", prefix + first, ...(rest.length > 0 ? rest : [name])]);
      }
      if (first === undefined || call.isStdin)
        return context.original(["-c", prefix + context.stdin.text(), name, ...operands]);
      const { text, problem, exitCode = 1 } = await readScript(first, context);
      if (text === undefined) return { stderr: `${name}: ${first}: ${problem}\n`, exitCode };
      // The first line of a script that says what runs it is a comment, and what is in front of it would be one, too.
      return context.original(["-c", `__bash_source=$0; ${prefix}${text.replace(/^#!.*/, "")}`, first, ...rest]);
    },
  };
}

interface ShellCall {
  isCommand: boolean;
  isStdin: boolean;
  /** What `set` is to be called with. */
  readonly settings: string[];
  readonly operands: string[];
  problem?: string;
}

/** About the terminal, files that are not here, and what is so anyway. */
const MEANINGLESS = /^--(login|posix|norc|noprofile|noediting|verbose|restricted|debug)$/;

function parseCall(args: readonly string[]): ShellCall {
  const call: ShellCall = { isCommand: false, isStdin: false, settings: [], operands: [...args] };
  while (/^[-+]/.test(call.operands[0] ?? "") && call.problem === undefined) {
    const arg = call.operands.shift() ?? "";
    if (arg === "--" || arg === "-") break;
    if (/^--(rcfile|init-file)$/.test(arg)) call.operands.shift();
    else if (!arg.startsWith("--")) for (const letter of arg.slice(1)) addLetter(call, arg.charAt(0), letter);
    else if (!MEANINGLESS.test(arg)) call.problem = `${arg}: invalid option`;
  }
  return call;
}

function addLetter(call: ShellCall, sign: string, letter: string): void {
  if (letter === "c") call.isCommand = true;
  else if (letter === "s") call.isStdin = true;
  else if (letter === "o") call.settings.push(`${sign}o ${call.operands.shift() ?? ""}`);
  else if (letter === "O") call.operands.shift();
  // These mean as much to `set`; `-l`, `-i` and `-r` change nothing here.
  else if (/[abefhkmnptuvxBCEHPT]/.test(letter)) call.settings.push(sign + letter);
  else if (!/[lir]/.test(letter)) call.problem = `${sign}${letter}: invalid option`;
}

interface ScriptText {
  readonly text?: string;
  readonly problem?: string;
  readonly exitCode?: number;
}

async function readScript(path: string, { fs, resolve }: CommandContext): Promise<ScriptText> {
  try {
    const bytes = await fs.readFileBuffer(resolve(path));
    if (bytes.subarray(0, 80).includes(0)) return { problem: "cannot execute binary file", exitCode: 126 };
    return { text: new TextDecoder().decode(bytes) };
  } catch (error) {
    const problem = problemOf(error);
    return { problem, exitCode: problem === "No such file or directory" ? 127 : 126 };
  }
}

export const SHELLS: readonly ShellCommand[] = [shellNamed("bash"), shellNamed("sh")];
