import type { GitDiffSide } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { type DiffStyle, plainStyle, takeDiffOption } from "./diff-options.ts";
import { changesBetween, changesText, isVisible, scriptText } from "./diff-text.ts";
import { conflictsBetween, conflictsText } from "./conflict-diff.ts";
import { commitOf, fatal, type GitCall, notHere, revisionsAndPaths } from "./git-call.ts";
import { mergeBases } from "./walk-history.ts";

export async function diffCommand(call: GitCall): Promise<CommandOutput> {
  const { flags, style, operands } = parseDiff(call.args);
  const { revisions, paths } = await revisionsAndPaths(call, operands);
  const [from, to] = await diffSides(call, revisions, flags);
  const changes = await changesBetween(call, from, to, paths, style);
  const conflicts = await conflictsBetween(call, [from, to], paths, style);
  const isCode = flags.has("quiet") || flags.has("exit-code");
  const exitCode = isCode && (conflicts.size > 0 || changes.some(isVisible)) ? 1 : 0;
  if (flags.has("quiet")) return { exitCode };
  if (conflicts.size > 0 && (flags.has("z") || style.isReversed || style.forms.includes("shortstat")))
    notHere("diff with -z, -R or --shortstat while there are conflicts", "use git diff --name-status");
  if (conflicts.size > 0 && !style.forms.includes("check"))
    return { stdout: await conflictsText(call, conflicts, changes, style, to === "work"), exitCode };
  const text = flags.has("z") ? zText(changes, style) : await changesText(call, changes, style);
  // What is wrong with blanks is worth 2, whatever the other says.
  return { stdout: text, exitCode: style.forms.includes("check") && text !== "" ? exitCode | 2 : exitCode };
}

function zText(changes: Parameters<typeof scriptText>[0], { forms }: DiffStyle): string {
  const text = forms.length === 1 ? scriptText(changes, forms[0] ?? "") : undefined;
  return text ?? notHere("diff -z", "use it with --name-only, --name-status or --numstat");
}

const DIFF_FLAGS: Readonly<Record<string, string>> = {
  "--cached": "cached",
  "--staged": "cached",
  "--quiet": "quiet",
  "--exit-code": "exit-code",
  "--merge-base": "merge-base",
  "-z": "z",
};

const INSTEAD: Readonly<Record<string, string>> = {
  "--no-index": "use diff -u A B",
  "-m": "use --first-parent, or git diff COMMIT^2 COMMIT",
  "--word-diff": "use git diff -U0, which shows the lines",
  "--color-words": "use git diff -U0, which shows the lines",
  "--relative": "name the folder, as in git diff -- .",
  "--ignore-blank-lines": "use -w, or run git diff without it",
};

/** What to do in place of an option of diff that is not here. */
export function insteadOf(command: string, option: string): string {
  const name = option.replace(/=.*/s, "");
  return (Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined) ?? `run git ${command} without it`;
}

function parseDiff(args: readonly string[]): { flags: ReadonlySet<string>; style: DiffStyle; operands: string[] } {
  const flags = new Set<string>();
  const operands: string[] = [];
  const style = plainStyle();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      operands.push(arg, ...rest);
      break;
    }
    const flag = Object.hasOwn(DIFF_FLAGS, arg) ? DIFF_FLAGS[arg] : undefined;
    if (flag) flags.add(flag);
    else if (takeDiffOption(style, arg, () => rest.shift())) continue;
    else if (arg.startsWith("-")) notHere(`diff ${arg}`, insteadOf("diff", arg));
    else operands.push(arg);
  }
  if (style.forms.length === 0) style.forms = ["patch"];
  return { flags, style, operands };
}

async function diffSides(
  call: GitCall,
  revisions: readonly string[],
  flags: ReadonlySet<string>,
): Promise<[GitDiffSide, GitDiffSide]> {
  const [first, second] = revisions;
  if (revisions.length > 2) fatal("too many revisions");
  const isCached = flags.has("cached");
  if (first === undefined) {
    if (!isCached) return ["index", "work"];
    const { commit } = await call.git.status();
    return [commit === undefined ? "nothing" : { commit }, "index"];
  }
  const range = /^(.*?)(\.{2,3})(.*)$/.exec(first);
  if (range) {
    const right = range[3] || "HEAD";
    const from = range[2] === "..." ? await baseOf(call, range[1] || "HEAD", right) : range[1] || "HEAD";
    return [{ commit: (await commitOf(call, from)).oid }, { commit: (await commitOf(call, right)).oid }];
  }
  const from = flags.has("merge-base") ? await baseOf(call, first, second ?? "HEAD") : first;
  const { oid: commit } = await commitOf(call, from);
  if (second !== undefined) return [{ commit }, { commit: (await commitOf(call, second)).oid }];
  return [{ commit }, isCached ? "index" : "work"];
}

async function baseOf(call: GitCall, left: string, right: string): Promise<string> {
  const [base] = await mergeBases(call, await commitOf(call, left), await commitOf(call, right));
  return base?.oid ?? fatal(`${left}...${right}: no merge base`);
}
