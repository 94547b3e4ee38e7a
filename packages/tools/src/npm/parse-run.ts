/** What `npm run` and its kin are asked for. */
export interface ScriptCall {
  /** Undefined: the scripts are to be listed. */
  readonly script: string | undefined;
  readonly args: readonly string[];
  readonly isSilent: boolean;
  readonly isIfPresent: boolean;
  readonly ignoresHooks: boolean;
  /** Folder of the project, instead of the nearest one with a `package.json`. */
  readonly prefix: string | undefined;
  /** `all`, or names and folders of workspaces. */
  readonly workspaces: "all" | readonly string[];
}

const RUN: ReadonlySet<string> = new Set(["run", "run-script", "rum", "urn"]);
/** Commands that run the script of a name. */
const NAMED: Readonly<Record<string, string>> = {
  test: "test",
  t: "test",
  tst: "test",
  start: "start",
  stop: "stop",
  restart: "restart",
};

const WITHOUT_EFFECT =
  /^(-q|-d|--quiet|--no-audit|--no-fund|--no-progress|--progress=false|--foreground-scripts|--no-update-notifier|--color(=.*)?|--no-color|--loglevel=(?!silent).*)$/;

/** The call of a script; undefined for another command, and for options that are not known here. */
export function parseRun(args: readonly string[]): ScriptCall | undefined {
  const end = args.indexOf("--");
  const words = wordsOf(end === -1 ? args : args.slice(0, end));
  if (!words) return undefined;
  const { flags, workspaces, prefix } = words;
  const [command = "", ...others] = words.operands;
  const named = Object.hasOwn(NAMED, command) ? NAMED[command] : undefined;
  if (!RUN.has(command) && named === undefined) return undefined;
  const [script, ...own] = named === undefined ? others : [named, ...others];
  return {
    script,
    args: [...own, ...(end === -1 ? [] : args.slice(end + 1))],
    isSilent: flags.has("silent"),
    isIfPresent: flags.has("if-present"),
    ignoresHooks: flags.has("ignore-scripts"),
    prefix,
    workspaces: flags.has("workspaces") ? "all" : workspaces,
  };
}

interface Words {
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly workspaces: readonly string[];
  readonly prefix: string | undefined;
}

function wordsOf(args: readonly string[]): Words | undefined {
  const operands: string[] = [];
  const flags = new Set<string>();
  const workspaces: string[] = [];
  let prefix: string | undefined;
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = arg, value] = /^(--[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (!arg.startsWith("-")) operands.push(arg);
    else if (name === "-w" || name === "--workspace") workspaces.push(value ?? rest.shift() ?? "");
    else if (name === "--prefix" || name === "-C") prefix = value ?? rest.shift();
    else if (Object.hasOwn(FLAGS, arg)) flags.add(FLAGS[arg] ?? "");
    else if (!WITHOUT_EFFECT.test(arg)) return undefined;
  }
  return { operands, flags, workspaces, prefix };
}

const FLAGS: Readonly<Record<string, string>> = {
  "-s": "silent",
  "--silent": "silent",
  "--loglevel=silent": "silent",
  "--if-present": "if-present",
  "--ignore-scripts": "ignore-scripts",
  "--workspaces": "workspaces",
  "--ws": "workspaces",
  "-ws": "workspaces",
};
