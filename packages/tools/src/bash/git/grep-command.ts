import type { CommandOutput } from "../shell-command.ts";
import { createSearchCommands } from "../../search/search-commands.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { type GitCall, GitFailure, isSelected, notHere, shownPath, treePath } from "./git-call.ts";

const LONG = {
  "line-number": "n",
  "files-with-matches": "l",
  "name-only": "l",
  "files-without-match": "L",
  count: "c",
  "ignore-case": "i",
  "word-regexp": "w",
  "invert-match": "v",
  "extended-regexp": "E",
  "basic-regexp": "G",
  "fixed-strings": "F",
  "perl-regexp": "P",
  "only-matching": "o",
  quiet: "q",
  text: "a",
  "after-context=": "A",
  "before-context=": "B",
  "context=": "C",
  "max-count=": "m",
  untracked: "U",
  "full-name": "N",
  cached: "X",
  "no-color": "-",
  "color?": "-",
  recursive: "-",
  and: "X",
  or: "X",
  not: "X",
  heading: "X",
  break: "X",
  "show-function": "X",
  "function-context": "X",
};

/** Options that the grep of the shell has, too. */
const SAME = "nLlciwvEGFPoqahH";

/** `git grep` in the files that are tracked, as the grep of the shell does it. */
export async function grepCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "nlLciwvEGFPoqaIhHrA:B:C:e:m:f:pW0123456789", long: LONG });
  if (options.has("X", "p", "W", "f")) notHere("git grep with this option", "use git grep PATTERN, or grep -rn");
  const { patterns, paths } = await operandsOf(call, options);
  const names = await namesOf(call, paths, options.has("U"));
  if (names.length === 0) return { exitCode: 1 };
  const shown = names.map((path) => (options.has("N") ? path.slice(1) : shownPath(call, path)));
  const args = options.given.flatMap(([name, value]) => argumentsFor(name, value));
  const head = options.has("h") ? "-h" : "-H";
  const grep = createSearchCommands(call.search).find(({ name }) => name === "grep");
  const where = options.has("N") ? { ...call.shell, ...topOf(call) } : call.shell;
  const found = await grep?.run([...args, head, ...patterns.flatMap((each) => ["-e", each]), "--", ...shown], where);
  if (!found) throw new GitFailure("fatal: there is no grep here");
  if (!options.has("c")) return found;
  // A file without a match is not counted.
  const lines = String(found.stdout)
    .split("\n")
    .filter((line) => line !== "" && !/(^|:)0$/.test(line));
  return { ...found, stdout: lines.map((line) => `${line}\n`).join("") };
}

function topOf({ shell }: GitCall): Pick<GitCall["shell"], "cwd" | "resolve"> {
  return { cwd: "/workspace", resolve: (path) => shell.fs.resolvePath("/workspace", path) };
}

function argumentsFor(name: string, value: string): string[] {
  if (/^[ABCm]$/.test(name)) return [`-${name}`, value];
  if (/^\d$/.test(name)) return [`-${name}`];
  if (name === "I") return ["-I"];
  return SAME.includes(name) && name !== "h" && name !== "H" ? [`-${name}`] : [];
}

async function operandsOf(
  call: GitCall,
  options: ParsedOptions,
): Promise<{ patterns: readonly string[]; paths: readonly string[] }> {
  const given = options.given.filter(([name]) => name === "e").map(([, value]) => value);
  const operands = [...options.operands];
  const patterns = given.length > 0 ? given : operands.splice(0, 1);
  if (patterns.length === 0) throw new GitFailure("fatal: no pattern given");
  const isDivided = call.args.includes("--");
  for (const operand of operands) {
    const isFile = isDivided || /[*?]|^:/.test(operand) || (await call.shell.fs.exists(call.shell.resolve(operand)));
    if (!isFile && (await call.git.commitAt(operand)))
      notHere("git grep in a commit", `check it out, or git show ${operand}:FILE | grep PATTERN`);
    if (!isFile)
      throw new GitFailure(
        `fatal: ambiguous argument '${operand}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
      );
  }
  return { patterns, paths: operands.map((operand) => treePath(call, operand)) };
}

async function namesOf(call: GitCall, paths: readonly string[], withUntracked: boolean): Promise<string[]> {
  const [index, work] = [await call.git.files("index"), await call.git.files("work")];
  const scope = paths.some((path) => !path.startsWith("!")) ? paths : [call.folder, ...paths];
  return [...work]
    .filter(([name, { mode }]) => mode !== 0o120000 && mode !== 0o160000 && (withUntracked || index.has(name)))
    .map(([name]) => `/${name}`)
    .filter((path) => isSelected(path, scope))
    .sort((a, b) => (a < b ? -1 : 1));
}
