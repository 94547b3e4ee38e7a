import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { changesBetween, statText, summaryText } from "./diff-text.ts";
import { commitOf, fatal, type GitCall, notHere, shortId } from "./git-call.ts";

export async function mergeCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "m:q",
    long: {
      "no-ff": "N",
      ff: "-",
      "ff-only": "O",
      "message=": "m",
      abort: "a",
      "no-edit": "-",
      squash: "S",
      continue: "c",
      "no-commit": "C",
      quiet: "q",
    },
  });
  const { git } = call;
  if (options.has("a")) {
    if ((await git.status()).merging === undefined) fatal("There is no merge to abort (MERGE_HEAD missing).");
    await git.reset("HEAD", { force: true });
    return {};
  }
  if (options.has("S", "c", "C", "N", "O"))
    notHere("merge with this option", "use git merge BRANCH, git merge --abort or git commit");
  const [name] = options.operands;
  if (name === undefined) fatal("No commit specified and merge.defaultToUpstream not set.");
  return mergeText(
    call,
    (await git.commitAt(name)) ? name : fatal(`${name} - not something we can merge`),
    options.value("m"),
  );
}

async function mergeText(call: GitCall, name: string, message: string | undefined): Promise<CommandOutput> {
  const { git } = call;
  const { commit: before = "" } = await git.status();
  const target = await commitOf(call, name);
  const text = message ?? `Merge branch '${name}'`;
  const merged = await git.merge(target.oid, { message: text, conflicts: "keep" });
  return joinedText(call, before, merged);
}

/** What a merge tells, which `pull` ends with too. */
export async function joinedText(
  call: GitCall,
  before: string,
  merged: { readonly kind: string; readonly commit: string },
): Promise<CommandOutput> {
  if (merged.kind === "none") return { stdout: "Already up to date.\n" };
  if (merged.kind === "conflict") {
    const { entries } = await call.git.status();
    const lines = entries
      .filter(({ unmerged }) => unmerged)
      .map(({ path }) => `CONFLICT (content): Merge conflict in ${path.slice(1)}\n`);
    return {
      stdout: `${lines.join("")}Automatic merge failed; fix conflicts and then commit the result.\n`,
      exitCode: 1,
    };
  }
  const changes = await changesBetween(call, { commit: before }, { commit: merged.commit });
  const head =
    merged.kind === "fast-forward"
      ? `Updating ${shortId(before)}..${shortId(merged.commit)}\nFast-forward\n`
      : "Merge made by the 'ort' strategy.\n";
  const stat = changes.length > 0 ? await statText(call, changes) : summaryText(changes);
  return { stdout: head + stat };
}
