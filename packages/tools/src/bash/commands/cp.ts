import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { problemOf } from "../problem-of.ts";
import { defineCommand } from "./define-command.ts";
import type { ParsedOptions } from "./parse-options.ts";

const LONG = {
  archive: "a",
  recursive: "r",
  force: "f",
  "no-clobber": "n",
  update: "u",
  verbose: "v",
  interactive: "i",
  dereference: "L",
  "no-dereference": "P",
  preserve: "p",
  "preserve=": "p",
  "no-preserve=": "-",
  "target-directory=": "t",
  "no-target-directory": "T",
  parents: "parents",
  "remove-destination": "f",
  link: "l",
  "symbolic-link": "s",
  "reflink?": "-",
  "sparse=": "-",
  "strip-trailing-slashes": "-",
  "one-file-system": "-",
};

/** In place of just-bash's, which knows neither `-a` nor links, and makes a file of a folder's name that is not there. */
export const cp: ShellCommand = defineCommand(
  "cp",
  { short: "arRfnuvidLPHpt:Tlsx", long: LONG },
  async (options, context) => {
    if (options.has("l"))
      return { stderr: "cp: --link is not supported here; copy the file, or use ln -s\n", exitCode: 1 };
    if (options.has("s")) return { stderr: "cp: --symbolic-link is not supported here; use ln -s\n", exitCode: 1 };
    const names = [...options.operands];
    const target = options.value("t") ?? names.pop();
    const problem = operandsProblem(names, target);
    if (problem !== undefined || target === undefined) return { stderr: `cp: ${problem}\n`, exitCode: 1 };
    return new Copying(options, context).run(names, target);
  },
);

function operandsProblem(names: readonly string[], target: string | undefined): string | undefined {
  if (target === undefined) return "missing file operand";
  return names.length === 0 ? `missing destination file operand after '${target}'` : undefined;
}

type Stat = Awaited<ReturnType<CommandContext["fs"]["stat"]>>;

class Copying {
  #stdout = "";
  #stderr = "";
  /** The folder that the current copy becomes, without links. */
  #made = "";
  readonly #options: ParsedOptions;
  readonly #context: CommandContext;
  readonly #isRecursive: boolean;
  /** Whether a link is copied as one: those that are named, and those that are found. */
  readonly #keepsNamed: boolean;
  readonly #keepsFound: boolean;

  constructor(options: ParsedOptions, context: CommandContext) {
    this.#options = options;
    this.#context = context;
    this.#isRecursive = options.has("r", "R", "a");
    const last = options.given.findLast(([name]) => "LPHad".includes(name))?.[0];
    this.#keepsFound = last === undefined ? this.#isRecursive : last !== "L";
    this.#keepsNamed = last === undefined ? this.#isRecursive : last !== "L" && last !== "H";
  }

  async run(names: readonly string[], target: string): Promise<CommandOutput> {
    const isFolder = !this.#options.has("T") && ((await this.#stat(target))?.isDirectory ?? false);
    if (!isFolder && (names.length > 1 || this.#options.has("t", "parents"))) {
      const what = this.#options.has("t") ? "target directory" : "target";
      this.#fail(
        `${what} '${target}': ${(await this.#stat(target)) ? "Not a directory" : "No such file or directory"}`,
      );
    } else for (const name of names) await this.#copyNamed(name, target, isFolder);
    return { stdout: this.#stdout, stderr: this.#stderr, exitCode: this.#stderr ? 1 : 0 };
  }

  async #copyNamed(name: string, target: string, isFolder: boolean): Promise<void> {
    const source = await this.#find(name, this.#keepsNamed);
    if (!source) return this.#fail(`cannot stat '${name}': No such file or directory`);
    const isParents = this.#options.has("parents");
    const last = isParents ? name.replace(/^\/+/, "") : name.replace(/\/+$/, "").split("/").at(-1);
    const to = isFolder
      ? `${target.replace(/\/+$/, "") || "/"}/${last === ".." ? "" : last}`.replace(/\/\.?$/, "")
      : target;
    if (isParents) await this.#context.fs.mkdir(this.#parentOf(to), { recursive: true });
    if (!source.isDirectory) return this.#copyFile(name, to, source);
    if (!this.#isRecursive) return this.#fail(`-r not specified; omitting directory '${name}'`);
    const [from, into] = [name, to].map((path) => `${this.#context.resolve(path)}/`) as [string, string];
    if (into.startsWith(from)) return this.#fail(`cannot copy a directory, '${name}', into itself, '${to}'`);
    return this.#copyFolder(name, to, source, []);
  }

  /** `above`: the folders that it is copied in, without links, of which one may lead back to them. */
  async #copyFolder(from: string, to: string, source: Stat, above: readonly string[]): Promise<void> {
    const { fs, resolve, signal } = this.#context;
    const real = await fs.realpath(resolve(from));
    if (above.includes(real)) return this.#fail(`cannot copy cyclic symbolic link '${from}'`);
    // A link can lead to what is being made.
    if (real === this.#made) return this.#fail(`cannot copy a directory, '${from}', into itself, '${to}'`);
    const there = await this.#stat(to);
    if (there && !there.isDirectory)
      return this.#fail(`cannot overwrite non-directory '${to}' with directory '${from}'`);
    if (!there && !(await this.#try(`cannot create directory '${to}'`, () => fs.mkdir(resolve(to))))) return;
    if (above.length === 0) this.#made = await fs.realpath(resolve(to));
    if (!there) await this.#setMode(to, source);
    if (!there) this.#tell(from, to);
    for (const name of await fs.readdir(resolve(from))) {
      signal.throwIfAborted();
      const [inside, target] = [from, to].map((path) => `${path.replace(/\/+$/, "")}/${name}`) as [string, string];
      const found = await this.#find(inside, this.#keepsFound);
      if (!found) this.#fail(`cannot stat '${inside}': No such file or directory`);
      else if (found.isDirectory) await this.#copyFolder(inside, target, found, [...above, real]);
      else await this.#copyFile(inside, target, found);
    }
  }

  async #copyFile(from: string, to: string, source: Stat): Promise<void> {
    const { fs, resolve } = this.#context;
    const there = await this.#find(to, true);
    if (!(await this.#mayWrite(from, to, source, there))) return;
    const kind = source.isSymbolicLink ? "symbolic link" : "regular file";
    const isDone = await this.#try(`cannot create ${kind} '${to}'`, async () => {
      if (source.isSymbolicLink) {
        if (there) await fs.rm(resolve(to), { force: true });
        return fs.symlink(await fs.readlink(resolve(from)), resolve(to));
      }
      await fs.writeFile(resolve(to), await fs.readFileBuffer(resolve(from)));
      if (!there || this.#options.has("p", "a")) await this.#setMode(to, source);
    });
    if (isDone) this.#tell(from, to);
  }

  /** False for what is to be left alone, and for what cannot be, which is told. */
  async #mayWrite(from: string, to: string, source: Stat, there: Stat | undefined): Promise<boolean> {
    if (!there) {
      if (to.endsWith("/")) this.#fail(`cannot create regular file '${to}': Not a directory`);
      return !to.endsWith("/");
    }
    const real = there.isSymbolicLink ? await this.#stat(to) : there;
    if (real?.isDirectory) this.#fail(`cannot overwrite directory '${to}' with non-directory`);
    if (real?.isDirectory || this.#options.has("n")) return false;
    if (this.#options.has("u") && there.mtime.getTime() >= source.mtime.getTime()) return false;
    const isSame = await this.#isSame(from, to);
    if (isSame) this.#fail(`'${from}' and '${to}' are the same file`);
    return !isSame;
  }

  async #setMode(path: string, { mode, isSymbolicLink }: Stat): Promise<void> {
    if (!isSymbolicLink) await this.#context.fs.chmod(this.#context.resolve(path), mode & 0o777);
  }

  async #isSame(from: string, to: string): Promise<boolean> {
    const { fs, resolve } = this.#context;
    const [a, b] = await Promise.all([from, to].map((path) => fs.realpath(resolve(path)).catch(() => resolve(path))));
    return a === b;
  }

  #stat(path: string): Promise<Stat | undefined> {
    return this.#context.fs.stat(this.#context.resolve(path)).catch(() => undefined);
  }

  #find(path: string, keepsLinks: boolean): Promise<Stat | undefined> {
    if (!keepsLinks) return this.#stat(path);
    return this.#context.fs.lstat(this.#context.resolve(path)).catch(() => undefined);
  }

  #parentOf(path: string): string {
    const full = this.#context.resolve(path);
    return full.slice(0, full.lastIndexOf("/")) || "/";
  }

  async #try(what: string, action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.#context.signal.throwIfAborted();
      this.#fail(`${what}: ${problemOf(error)}`);
      return false;
    }
  }

  #tell(from: string, to: string): void {
    if (this.#options.has("v")) this.#stdout += `'${from}' -> '${to}'\n`;
  }

  #fail(text: string): void {
    this.#stderr += `cp: ${text}\n`;
  }
}
