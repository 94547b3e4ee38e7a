import { MAX_STRING_LENGTH, MAX_VARIABLES_LENGTH } from "../limits.ts";
import { overLimit } from "./endings.ts";
import type { Shell } from "./shell-state.ts";

/** Variables that mean something to bash itself, or that it sets. */
const SPECIAL =
  /^(_|BASH.*|COMP.*|COPROC|DIRSTACK|EPOCH.*|EUID|FUNCNAME|FUNCNEST|GROUPS|HIST.*|HOST.*|LINENO|MACHTYPE|OPT.*|OSTYPE|PATH|PIPESTATUS|PPID|RANDOM|SECONDS|SHELL.*|SHLVL|SRANDOM|UID|POSIXLY_CORRECT|GLOB.*|ENV|PS\d|PROMPT.*|TIMEFORMAT|TMOUT|MAPFILE|READLINE.*|INPUTRC|IGNOREEOF|EXECIGNORE|CDPATH|FIGNORE|FCEDIT|CHILD_MAX|auto_resume|histchars|PWD|OLDPWD)$/;

/** Of these, the ones that are there and that nothing sets but `cd`. */
const FOLDERS = /^(PWD|OLDPWD|PATH)$/;

/** Whether it is a variable like any other. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !SPECIAL.test(name);
}

/** Whether it can be asked for. */
export function isKnownParameter(name: string): boolean {
  return isPlainName(name) || FOLDERS.test(name) || /^([1-9]\d{0,4}|[#?])$/.test(name);
}

/** The value of a variable or parameter, unless it has none. */
export function valueOf(shell: Shell, name: string): string | undefined {
  const code = name.charCodeAt(0);
  if (name === "?") return String(shell.status);
  if (name === "#") return String(shell.args.length);
  if (code >= 0x31 && code <= 0x39) return shell.args[Number(name) - 1];
  return shell.env.get(name);
}

/** A text below this is not worth counting. */
const SMALL = 4096;

export function setVariable(shell: Shell, name: string, value: string): void {
  checkLength(value.length);
  shell.env.set(name, value);
  if (value.length <= SMALL) return;
  let sum = 0;
  for (const each of shell.env.values()) sum += each.length;
  if (sum > MAX_VARIABLES_LENGTH) throw overLimit(`variables: size limit exceeded (${MAX_VARIABLES_LENGTH} bytes)`);
}

/** Throws when a text would be longer than one may be. */
export function checkLength(length: number): void {
  if (length > MAX_STRING_LENGTH)
    throw overLimit(`word expansion: string length limit exceeded (${MAX_STRING_LENGTH} bytes)`);
}
