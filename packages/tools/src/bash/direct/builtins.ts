import { echo } from "../commands/echo.ts";
import type { CommandOutput } from "../shell-command.ts";
import { changeFolder } from "./change-folder.ts";
import { ShellEnd } from "./endings.ts";
import { formatPrintf, parseFormat } from "./format-printf.ts";
import { readCall, readLine } from "./read-line.ts";
import type { Scope } from "./scope.ts";
import type { Leave, Shell } from "./shell-state.ts";
import { runTest, testTakes } from "./test-command.ts";
import { isPlainName, setVariable } from "./variables.ts";

/** Words as far as they are known before the script runs. */
type Known = readonly (string | undefined)[];

/** A command of the shell itself. */
export interface Builtin {
  /** Whether it does what is asked for; all other calls are left to just-bash. */
  readonly takes: (args: Known, scope: Scope) => boolean;
  readonly run: (shell: Shell, args: readonly string[]) => number | Promise<number>;
  /** It prints and does nothing else: a file that it prints to can be made when all is there. */
  readonly isPlain?: boolean;
  /** Its arguments may be assignments, which are not split. */
  readonly assigns?: boolean;
}

const always = (status: number): Builtin => ({ takes: () => true, run: () => status, isPlain: true });

const echoBuiltin: Builtin = {
  takes: () => true,
  isPlain: true,
  async run(shell, args) {
    const [first = ""] = args;
    if (!first.startsWith("-")) {
      shell.stdout.write(`${args.join(" ")}\n`);
      return 0;
    }
    // It asks nothing of what is around it.
    const { stdout = "" }: CommandOutput = await echo.run(args, undefined as never);
    shell.stdout.write(stdout);
    return 0;
  },
};

const printf: Builtin = {
  takes: ([first, second]) => {
    const format = first === "--" ? second : first;
    return format !== undefined && (first === "--" || !format.startsWith("-")) && parseFormat(format) !== undefined;
  },
  isPlain: true,
  run(shell, args) {
    const [format = "", ...rest] = args[0] === "--" ? args.slice(1) : args;
    const { text, problems } = formatPrintf(parseFormat(format) ?? [], rest);
    shell.stdout.write(text);
    for (const problem of problems) shell.stderr.write(`bash: printf: ${problem}\n`);
    return problems.length > 0 ? 1 : 0;
  },
};

const cd: Builtin = {
  takes: (args) => args.length <= 1 && (args[0] === "-" || !args[0]?.startsWith("-")),
  async run(shell, args) {
    if (args.length > 1) return problem(shell, "cd: too many arguments");
    const { env } = shell;
    const [given] = args;
    const isBack = given === "-";
    const target = given === undefined ? env.get("HOME") : isBack ? env.get("OLDPWD") : given;
    if (target === undefined) return problem(shell, `cd: ${isBack ? "OLDPWD" : "HOME"} not set`);
    if (target === "") return 0;
    if (/^-./.test(target)) return problem(shell, `cd: ${target.slice(0, 2)}: invalid option`, 2);
    const place = { fs: shell.run.fs, env, cwd: shell.cwd };
    const { stderr = "", exitCode = 0 } = await changeFolder([target], place);
    shell.cwd = place.cwd;
    shell.stderr.write(stderr);
    if (isBack && exitCode === 0) shell.stdout.write(`${shell.cwd}\n`);
    return exitCode;
  },
};

const pwd: Builtin = {
  takes: (args) => args.length === 0,
  isPlain: true,
  run(shell) {
    shell.stdout.write(`${shell.cwd}\n`);
    return 0;
  },
};

const test: Builtin = { takes: testTakes, run: runTest };

const bracket: Builtin = {
  takes: (args) => args.at(-1) === "]" && testTakes(args.slice(0, -1)),
  run: (shell, args) => runTest(shell, args.slice(0, -1)),
};

const read: Builtin = {
  takes: (args) => readCall(args) !== undefined,
  run: (shell, args) => readLine(shell, readCall(args) ?? { isRaw: true, names: [] }),
};

const isAssignable = (arg: string | undefined): boolean =>
  arg !== undefined && isPlainName(/^([^=+]*)(?:=|$)/.exec(arg)?.[1] ?? "");

/** What `name=value` is, where the name is known. */
function assign(shell: Shell, arg: string): string {
  const at = arg.indexOf("=");
  const name = at === -1 ? arg : arg.slice(0, at);
  if (at !== -1) setVariable(shell, name, arg.slice(at + 1));
  return name;
}

const exportBuiltin: Builtin = {
  takes: (args) => args.length > 0 && args.every(isAssignable),
  assigns: true,
  run(shell, args) {
    for (const arg of args) shell.exported.add(assign(shell, arg));
    return 0;
  },
};

const local: Builtin = {
  takes: (args, { isInFunction }) => isInFunction && args.length > 0 && args.every(isAssignable),
  assigns: true,
  run(shell, args) {
    const hidden = shell.hidden.at(-1);
    for (const arg of args) {
      const [name = ""] = arg.split("=", 1);
      if (hidden && !hidden.has(name)) {
        hidden.set(name, shell.env.get(name));
        shell.env.delete(name);
      }
      assign(shell, arg);
    }
    return 0;
  },
};

const unset: Builtin = {
  takes: ([first, ...rest]) =>
    (first === "-v" || first === "-f" ? rest : [first, ...rest]).every((arg) => arg !== undefined && isPlainName(arg)),
  run(shell, args) {
    const isFunction = args[0] === "-f";
    for (const name of args) {
      if (name.startsWith("-")) continue;
      if (!isFunction && shell.env.delete(name)) shell.exported.delete(name);
      else shell.functions.delete(name);
    }
    return 0;
  },
};

/** `break` and `continue`, out of so many loops. */
function leaving(kind: "break" | "continue"): Builtin {
  return {
    takes: (args, { loops }) => {
      const [count] = args;
      if (args.length === 0) return loops > 0;
      return args.length === 1 && count !== undefined && /^[1-9]\d?$/.test(count) && Number(count) <= loops;
    },
    run(shell, [count = "1"]) {
      shell.leave = { kind, count: Number(count) } satisfies Leave;
      return 0;
    },
  };
}

function codeOf(shell: Shell, name: string, given: string | undefined): number {
  if (given === undefined) return shell.status;
  if (/^\s*[-+]?\d+\s*$/.test(given)) return Number(BigInt.asUintN(8, BigInt(given.trim().replace(/^\+/, ""))));
  shell.stderr.write(`bash: ${name}: ${given}: numeric argument required\n`);
  return 2;
}

const returnBuiltin: Builtin = {
  takes: (args, { isInFunction }) => isInFunction && args.length <= 1,
  run(shell, [code]) {
    const status = codeOf(shell, "return", code);
    shell.leave = { kind: "return", count: status };
    return status;
  },
};

const exit: Builtin = {
  takes: (args) => args.length <= 1,
  run(shell, args) {
    if (args.length > 1) return problem(shell, "exit: too many arguments");
    throw new ShellEnd(codeOf(shell, "exit", args[0]));
  },
};

const shift: Builtin = {
  takes: (args) => args.length === 0 || (args.length === 1 && /^\d{1,4}$/.test(args[0] ?? "")),
  run(shell, [count = "1"]) {
    const by = Number(count);
    if (by > shell.args.length) return 1;
    shell.args = shell.args.slice(by);
    return 0;
  },
};

const OPTIONS = { e: "errexit", u: "nounset" } as const;

const set: Builtin = {
  takes: (args) => {
    const [first = "", second] = args;
    if (first === "--") return true;
    if (/^[-+][eu]+$/.test(first)) return args.length === 1;
    return /^[-+][eu]*o$/.test(first) && args.length === 2 && /^(errexit|nounset|pipefail)$/.test(second ?? "");
  },
  run(shell, [first = "", ...rest]) {
    if (first === "--") {
      shell.args = rest;
      return 0;
    }
    const isOn = first.startsWith("-");
    for (const letter of first.slice(1)) {
      if (letter === "e" || letter === "u") shell.options[OPTIONS[letter]] = isOn;
      else if (rest[0] === "errexit" || rest[0] === "nounset" || rest[0] === "pipefail") shell.options[rest[0]] = isOn;
    }
    return 0;
  },
};

function problem(shell: Shell, text: string, code = 1): number {
  shell.stderr.write(`bash: ${text}\n`);
  return code;
}

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  [":", always(0)],
  ["true", always(0)],
  ["false", always(1)],
  ["echo", echoBuiltin],
  ["printf", printf],
  ["cd", cd],
  ["pwd", pwd],
  ["test", test],
  ["[", bracket],
  ["read", read],
  ["export", exportBuiltin],
  ["local", local],
  ["unset", unset],
  ["break", leaving("break")],
  ["continue", leaving("continue")],
  ["return", returnBuiltin],
  ["exit", exit],
  ["shift", shift],
  ["set", set],
]);
