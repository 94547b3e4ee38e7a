import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { fatal, type GitCall, GitFailure, notHere } from "./git-call.ts";
import { refTexts } from "./ref-format.ts";

export async function showRefCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "qs::hd",
    long: { heads: "H", tags: "T", verify: "v", quiet: "q", head: "h", "hash?": "s", dereference: "d" },
  });
  if (options.has("d")) notHere("show-ref --dereference", "use git rev-parse TAG^{commit}");
  const refs = [...(await call.git.refs())];
  const head = options.has("h") ? await call.git.commitAt("HEAD") : undefined;
  const kinds = [...(options.has("H") ? ["refs/heads/"] : []), ...(options.has("T") ? ["refs/tags/"] : [])];
  const ofKind = refs.filter(({ name }) => kinds.length === 0 || kinds.some((kind) => name.startsWith(kind)));
  const found = options.has("v")
    ? options.operands.map((name) => refs.find((ref) => ref.name === name) ?? missing(name, options.has("q")))
    : ofKind.filter(
        ({ name }) => options.operands.length === 0 || options.operands.some((end) => `/${name}`.endsWith(`/${end}`)),
      );
  const all = head ? [{ name: "HEAD", oid: head.oid }, ...found] : found;
  const length = options.value("s");
  const line = ({ name, oid }: (typeof all)[number]): string =>
    length === undefined ? `${oid} ${name}\n` : `${oid.slice(0, Number(length || 40))}\n`;
  return { stdout: options.has("q") ? "" : all.map(line).join(""), exitCode: all.length > 0 ? 0 : 1 };
}

function missing(name: string, isQuiet: boolean): never {
  throw isQuiet ? new GitFailure("", 1) : new GitFailure(`fatal: '${name}' - not a valid ref`);
}

export async function forEachRefCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "",
    long: {
      "format=": "f",
      "sort=": "s",
      "count=": "n",
      "points-at=": "X",
      "merged?": "X",
      "no-merged?": "X",
      "contains?": "X",
      "no-contains?": "X",
    },
  });
  if (options.has("X")) notHere("for-each-ref with this option", "use git branch --merged, or --contains");
  const refs = (await call.git.refs()).filter(
    ({ name }) => options.operands.length === 0 || options.operands.some((pattern) => isBelow(name, pattern)),
  );
  const format = options.value("f") ?? "%(objectname) %(objecttype)\t%(refname)";
  const sorts = options.given.filter(([name]) => name === "s").map(([, key]) => key);
  const texts = await refTexts(call, refs, format, sorts);
  return {
    stdout: texts
      .slice(0, Number(options.value("n") ?? texts.length))
      .map((text) => `${text}\n`)
      .join(""),
  };
}

function isBelow(name: string, pattern: string): boolean {
  const prefix = pattern.replace(/\/?\*{0,2}$/, "");
  if (/[*?[]/.test(prefix)) notHere(`the pattern ${pattern}`, "name the folder, such as refs/heads");
  return name === pattern || name.startsWith(`${prefix}/`) || (pattern.endsWith("*") && name.startsWith(prefix));
}

export async function symbolicRefCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "q", long: { short: "s", quiet: "q", delete: "X" } });
  const [name, target] = options.operands;
  if (name !== "HEAD" || target !== undefined || options.has("X"))
    notHere("symbolic-ref with this", "git symbolic-ref HEAD tells the branch, git checkout changes it");
  const { branch } = await call.git.status();
  if (branch === undefined) return options.has("q") ? { exitCode: 1 } : fatal("ref HEAD is not a symbolic ref");
  return { stdout: `${options.has("s") ? branch : `refs/heads/${branch}`}\n` };
}
