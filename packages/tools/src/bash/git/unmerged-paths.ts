import type { GitStages } from "@tenrec/protocol";

type Kind = "DD" | "AU" | "UD" | "UA" | "DU" | "AA" | "UU";

/** What `git status` says in full of each kind. */
const WORDS: Readonly<Record<Kind, string>> = {
  DD: "both deleted:    ",
  AU: "added by us:     ",
  UD: "deleted by them: ",
  UA: "added by them:   ",
  DU: "deleted by us:   ",
  AA: "both added:      ",
  UU: "both modified:   ",
};

/** The two letters that `--short` has for a file with conflicts. */
export function unmergedCode([base, ours, theirs]: GitStages): Kind {
  if (base) return ours ? (theirs ? "UU" : "UD") : theirs ? "DU" : "DD";
  if (ours) return theirs ? "AA" : "AU";
  return "UA";
}

export function unmergedWords(stages: GitStages): string {
  return WORDS[unmergedCode(stages)];
}

/** What `git status` tells to do about files with conflicts. */
export function resolveHint(all: readonly GitStages[]): string {
  const codes = all.map(unmergedCode);
  const isGone = codes.map((code) => code === "DD");
  if (isGone.length > 0 && isGone.every(Boolean)) return '(use "git rm <file>..." to mark resolution)';
  return codes.some((code) => code.includes("D"))
    ? '(use "git add/rm <file>..." as appropriate to mark resolution)'
    : '(use "git add <file>..." to mark resolution)';
}

/** What a merge says of a file that it left with conflicts; `label` is the other side. */
export function conflictText(name: string, stages: GitStages, label: string): string {
  switch (unmergedCode(stages)) {
    case "UD":
      return `CONFLICT (modify/delete): ${name} deleted in ${label} and modified in HEAD.  Version HEAD of ${name} left in tree.\n`;
    case "DU":
      return `CONFLICT (modify/delete): ${name} deleted in HEAD and modified in ${label}.  Version ${label} of ${name} left in tree.\n`;
    case "AA":
      return `Auto-merging ${name}\nCONFLICT (add/add): Merge conflict in ${name}\n`;
    default:
      return `Auto-merging ${name}\nCONFLICT (content): Merge conflict in ${name}\n`;
  }
}
