export interface PatchLine {
  readonly kind: "file" | "hunk" | "added" | "removed" | "same";
  readonly text: string;
}

/** The lines of a unified diff with what each of them is. */
export function patchLines(patch: string): PatchLine[] {
  const lines = patch.endsWith("\n") ? patch.slice(0, -1).split("\n") : patch.split("\n");
  let inHunk = false;
  return lines.map((text) => {
    if (text.startsWith("@@")) inHunk = true;
    // What became a link has two parts. No line of a hunk begins like this.
    else if (text.startsWith("diff --git ")) inHunk = false;
    return { kind: kindOf(text, inHunk), text };
  });
}

/** Before the first hunk `---` and `+++` name the files; inside one they are changed lines. */
function kindOf(text: string, inHunk: boolean): PatchLine["kind"] {
  if (text.startsWith("@@")) return "hunk";
  if (!inHunk) return "file";
  if (text.startsWith("+")) return "added";
  return text.startsWith("-") ? "removed" : "same";
}
