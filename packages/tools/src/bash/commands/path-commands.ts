import type { CommandContext, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { problemOf } from "../problem-of.ts";

const realpath: ShellCommand = defineCommand(
  "realpath",
  {
    short: "emsqzLP",
    long: {
      "canonicalize-existing": "e",
      "canonicalize-missing": "m",
      "no-symlinks": "s",
      strip: "s",
      quiet: "q",
      "relative-to=": "R",
      "relative-base=": "-",
    },
  },
  async (options, context) => {
    let stdout = "";
    let stderr = "";
    const base = options.value("R");
    const from = base === undefined ? undefined : context.resolve(base);
    for (const name of options.operands) {
      try {
        const path = await canonical(
          context,
          context.resolve(name),
          options.has("m") ? Infinity : options.has("e") ? 0 : 1,
          options.has("s"),
        );
        stdout += `${from === undefined ? path : relativePath(from, path)}\n`;
      } catch (error) {
        if (!options.has("q")) stderr += `realpath: ${name}: ${problemOf(error)}\n`;
      }
    }
    const count = stdout.split("\n").length - 1;
    return { stdout, stderr, exitCode: count < options.operands.length ? 1 : 0 };
  },
);

/** The path without links; up to `missing` of its last names need not be there. */
async function canonical({ fs }: CommandContext, path: string, missing: number, keepsLinks: boolean): Promise<string> {
  if (keepsLinks) return path;
  let end = path;
  for (let left = missing; ; left--) {
    try {
      const there = await fs.realpath(end);
      return end === path ? there : `${there === "/" ? "" : there}${path.slice(end === "/" ? 0 : end.length)}`;
    } catch (error) {
      if (left <= 0 || end === "/") throw error;
      end = end.slice(0, end.lastIndexOf("/")) || "/";
    }
  }
}

/** The way from one absolute path to another. */
export function relativePath(from: string, to: string): string {
  const [a, b] = [from, to].map((path) => path.split("/").filter(Boolean)) as [string[], string[]];
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return [...a.slice(shared).map(() => ".."), ...b.slice(shared)].join("/") || ".";
}

const mktemp: ShellCommand = defineCommand(
  "mktemp",
  {
    short: "dup:tq",
    long: { directory: "d", "dry-run": "u", "tmpdir?": "p", "suffix=": "S", quiet: "q" },
  },
  async (options, context) => {
    const template = options.operands[0] ?? "tmp.XXXXXXXXXX";
    const [, head = "", marks = "", tail = ""] = /^(.*?)(X{3,})([^X]*)$/s.exec(template) ?? [];
    if (marks === "") return { stderr: `mktemp: too few X's in template '${template}'\n`, exitCode: 1 };
    const isBelow = options.operands.length === 0 || options.has("t", "p");
    const folder = options.value("p") || context.env.get("TMPDIR") || "/tmp";
    const prefix = isBelow && !head.startsWith("/") ? `${folder}/${head}` : head;
    const shown = await freeName(context, prefix, marks.length, tail + (options.value("S") ?? ""));
    const path = context.resolve(shown);
    if (options.has("u")) return { stdout: `${shown}\n` };
    await (options.has("d") ? context.fs.mkdir(path, { recursive: false }) : context.fs.writeFile(path, ""));
    return { stdout: `${shown}\n` };
  },
);

/** Counted, not random: nobody else is here, and a call that runs again makes the same names. */
async function freeName({ fs, resolve }: CommandContext, prefix: string, width: number, tail: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = prefix + number.toString(36).padStart(width, "0").slice(-width) + tail;
    if (!(await fs.exists(resolve(name)))) return name;
  }
}

const install: ShellCommand = defineCommand(
  "install",
  {
    short: "dm:Do:g:vcpt:sbC",
    long: { directory: "d", "mode=": "m", "target-directory=": "t", verbose: "v" },
  },
  async (options, { fs, resolve }) => {
    const mode = Number.parseInt(options.value("m") ?? "755", 8);
    if (Number.isNaN(mode)) return { stderr: "install: give the mode in digits, such as 755\n", exitCode: 1 };
    if (options.has("d")) {
      for (const name of options.operands) await fs.mkdir(resolve(name), { recursive: true });
      return {};
    }
    const names = [...options.operands];
    const target = options.value("t") ?? names.pop();
    if (target === undefined || names.length === 0) return { stderr: "install: missing file operand\n", exitCode: 1 };
    const isFolder = options.has("t") || (await isDirectory(fs, resolve(target)));
    for (const name of names) {
      const to = isFolder ? `${resolve(target)}/${name.slice(name.lastIndexOf("/") + 1)}` : resolve(target);
      if (options.has("D")) await fs.mkdir(to.slice(0, to.lastIndexOf("/")) || "/", { recursive: true });
      try {
        await fs.writeFile(to, await fs.readFileBuffer(resolve(name)));
        await fs.chmod(to, mode);
      } catch (error) {
        return { stderr: `install: cannot stat '${name}': ${problemOf(error)}\n`, exitCode: 1 };
      }
    }
    return {};
  },
);

async function isDirectory(fs: CommandContext["fs"], path: string): Promise<boolean> {
  return (await fs.stat(path).catch(() => undefined))?.isDirectory ?? false;
}

const unlink: ShellCommand = {
  name: "unlink",
  async run([name], { fs, resolve }) {
    if (name === undefined) return { stderr: "unlink: missing operand\n", exitCode: 1 };
    try {
      await fs.rm(resolve(name));
      return {};
    } catch (error) {
      return { stderr: `unlink: cannot unlink '${name}': ${problemOf(error)}\n`, exitCode: 1 };
    }
  },
};

export const PATH_COMMANDS: readonly ShellCommand[] = [realpath, mktemp, install, unlink];
