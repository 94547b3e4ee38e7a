import type { FsStat } from "just-bash/browser";
import { numberIn } from "./whole-numbers.ts";
import type { Shell } from "./shell-state.ts";
import { flushAll } from "./sinks.ts";

type FileTest = (stat: FsStat) => boolean;

const TESTS: Readonly<Record<string, FileTest>> = {
  "-e": () => true,
  "-a": () => true,
  "-f": ({ isFile }) => isFile,
  "-d": ({ isDirectory }) => isDirectory,
  "-s": ({ size, isDirectory }) => size > 0 || isDirectory,
  "-r": () => true,
  "-w": () => true,
  "-x": ({ mode }) => (mode & 0o111) !== 0,
  "-L": ({ isSymbolicLink }) => isSymbolicLink,
  "-h": ({ isSymbolicLink }) => isSymbolicLink,
};

export function isFileTest(operator: string): boolean {
  return Object.hasOwn(TESTS, operator);
}

/** Whether a file is what an operator such as `-f` says. */
export async function fileTest(operator: string, path: string, { run, cwd }: Shell): Promise<boolean> {
  if (path === "") return false;
  const { fs } = run;
  if (operator === "-s") await flushAll(run);
  const resolved = fs.resolvePath(cwd, path);
  try {
    const isLink = operator === "-L" || operator === "-h";
    const stat = await (isLink ? fs.lstat(resolved) : fs.stat(resolved));
    return (TESTS[operator]?.(stat) ?? false) && (!path.endsWith("/") || stat.isDirectory);
  } catch {
    return false;
  }
}

/** `-eq` and its like, of an expression: a name in it stands for its value. */
export function compareNumbers(operator: string, left: string, right: string, shell: Shell): boolean {
  return compareIntegers(operator, numberIn(shell, left), numberIn(shell, right));
}

export function compareIntegers(operator: string, left: bigint, right: bigint): boolean {
  switch (operator) {
    case "-eq":
      return left === right;
    case "-ne":
      return left !== right;
    case "-lt":
      return left < right;
    case "-le":
      return left <= right;
    case "-gt":
      return left > right;
    default:
      return left >= right;
  }
}
