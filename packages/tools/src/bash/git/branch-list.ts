import type { GitRefData } from "@tenrec/protocol";
import { globMatch } from "../commands/glob-match.ts";
import type { ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, shortId, subjectOf } from "./git-call.ts";
import { refTexts } from "./ref-format.ts";
import { isAncestor } from "./walk-history.ts";

/** Which branches a list has, by a commit. */
interface Filter {
  readonly kind: "contains" | "merged";
  readonly isNot: boolean;
  readonly commit: string;
}

/** Takes out the options whose value is the next argument, if there is one. */
export function takeFilters(given: readonly string[]): { args: string[]; filters: Filter[] } {
  const args: string[] = [];
  const filters: Filter[] = [];
  const rest = [...given];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, not, kind, value] = /^--(no-)?(contains|merged)(?:=(.*))?$/s.exec(arg) ?? [];
    if (kind !== "contains" && kind !== "merged") {
      args.push(arg);
      continue;
    }
    const next = rest[0]?.startsWith("-") ? undefined : rest.shift();
    filters.push({ kind, isNot: not !== undefined, commit: value ?? next ?? "HEAD" });
  }
  return { args, filters };
}

async function isListed(call: GitCall, oid: string, filters: readonly Filter[]): Promise<boolean> {
  for (const { kind, isNot, commit } of filters) {
    const named = await commitOf(call, commit).catch(() => fatal(`malformed object name ${commit}`));
    const own = await commitOf(call, oid);
    const isIn = kind === "contains" ? await isAncestor(call, named.oid, own) : await isAncestor(call, own.oid, named);
    if (isIn === isNot) return false;
  }
  return true;
}

interface Line {
  readonly mark: string;
  readonly name: string;
  readonly oid: string;
}

/** What `git branch` lists. */
export async function branchList(call: GitCall, options: ParsedOptions, filters: readonly Filter[]): Promise<string> {
  const globs = options.has("l") ? options.operands : [];
  const refs = await listedRefs(call, options, globs, filters);
  const format = options.value("F");
  const sorts = options.given.filter(([name]) => name === "S").map(([, key]) => key);
  if (format !== undefined) return (await refTexts(call, refs, format, sorts)).map((text) => `${text}\n`).join("");
  const { branch, commit } = await call.git.status();
  const lines: Line[] = [];
  const isWhole = globs.length + filters.length === 0 && !options.has("r");
  if (branch === undefined && commit !== undefined && isWhole)
    lines.push({ mark: "*", name: `(HEAD detached at ${shortId(commit)})`, oid: commit });
  for (const name of await refTexts(call, refs, "%(refname)", sorts)) {
    const oid = refs.find((ref) => ref.name === name)?.oid ?? "";
    lines.push({ mark: name === `refs/heads/${branch}` ? "*" : " ", name: shownRef(name, options) ?? name, oid });
  }
  return linesText(call, lines, options.has("v"));
}

async function listedRefs(
  call: GitCall,
  options: ParsedOptions,
  globs: readonly string[],
  filters: readonly Filter[],
): Promise<GitRefData[]> {
  const refs: GitRefData[] = [];
  for (const ref of await call.git.refs()) {
    const isNamed = globs.length === 0 || globs.some((glob) => globMatch(glob, shortName(ref.name)));
    if (shownRef(ref.name, options) !== undefined && isNamed && (await isListed(call, ref.oid, filters)))
      refs.push(ref);
  }
  return refs;
}

async function linesText({ git }: GitCall, lines: readonly Line[], hasCommits: boolean): Promise<string> {
  const width = Math.max(0, ...lines.map((line) => line.name.length));
  const texts = lines.map(async ({ mark, name, oid }) => {
    if (!hasCommits) return `${mark} ${name}\n`;
    return `${mark} ${name.padEnd(width)} ${shortId(oid)} ${subjectOf((await git.commitAt(oid))?.message ?? "")}\n`;
  });
  return (await Promise.all(texts)).join("");
}

function shortName(name: string): string {
  return name.replace(/^refs\/(heads|remotes)\//, "");
}

/** How a list shows a ref; undefined for one that it leaves out. */
function shownRef(name: string, options: ParsedOptions): string | undefined {
  if (name.startsWith("refs/heads/")) return options.has("r") ? undefined : name.slice("refs/heads/".length);
  if (!name.startsWith("refs/remotes/") || !options.has("a", "r")) return undefined;
  return name.slice((options.has("a") ? "refs/" : "refs/remotes/").length);
}
