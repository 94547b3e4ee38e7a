import type { GitDiffSide, GitStages } from "@tenrec/protocol";
import { conflictPatch } from "./combined-diff.ts";
import type { DiffStyle } from "./diff-options.ts";
import { changesText, type FileChange } from "./diff-text.ts";
import { type GitCall, isSelected, notHere } from "./git-call.ts";
import { pathQuoter } from "./quote-path.ts";

type Conflicts = ReadonlyMap<string, GitStages>;

/** Files with conflicts that a diff between these sides tells of. */
export async function conflictsBetween(
  { git }: GitCall,
  sides: readonly GitDiffSide[],
  paths: readonly string[],
  { kinds }: DiffStyle,
): Promise<Conflicts> {
  const isLeftOut = kinds.includes("u") || (/[A-Z]/.test(kinds) && !kinds.includes("U"));
  if (!sides.includes("index") || isLeftOut) return new Map();
  return new Map([...(await git.unmerged())].filter(([name]) => isSelected(`/${name}`, paths)));
}

/** What `git diff` prints while some files have conflicts. */
export async function conflictsText(
  call: GitCall,
  conflicts: Conflicts,
  changes: readonly FileChange[],
  style: DiffStyle,
  isWork: boolean,
): Promise<string> {
  const { forms } = style;
  const refused = forms.find((form) => /^(stat|numstat|raw|summary)$/.test(form));
  if (refused !== undefined) notHere(`diff --${refused} while there are conflicts`, "use git diff --name-status");
  const quote = await pathQuoter(call);
  const isList = forms.includes("name-only") || forms.includes("name-status");
  const isPatch = !isList && forms.includes("patch");
  const combined = isPatch && isWork ? [...conflicts].filter(([, [, ours, theirs]]) => ours && theirs) : [];
  const isCombined = new Set(combined.map(([name]) => name));
  let text = "";
  for (const [name, stages] of combined) text += await conflictPatch(call, name, stages, style);
  const names = new Set([...conflicts.keys(), ...changes.map(({ diff }) => diff.path.slice(1))]);
  for (const name of [...names].filter((each) => !isCombined.has(each)).sort()) {
    if (conflicts.has(name)) text += conflictLine(quote(name), isList ? forms : isPatch ? ["patch"] : []);
    text += await changesText(
      call,
      changes.filter(({ diff }) => diff.path === `/${name}`),
      style,
    );
  }
  return text;
}

function conflictLine(name: string, forms: DiffStyle["forms"]): string {
  if (forms.includes("name-status")) return `U\t${name}\n`;
  if (forms.includes("name-only")) return `${name}\n`;
  return forms.includes("patch") ? `* Unmerged path ${name}\n` : "";
}
