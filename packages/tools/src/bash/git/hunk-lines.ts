/** The lines of a patch's hunks with their signs, and the lines `@@`; no header. */
export function hunkLines(patch: string): string[] {
  let isInHunk = false;
  return patch.split("\n").filter((line) => {
    if (line.startsWith("diff --git ")) isInHunk = false;
    else if (line.startsWith("@@ ")) isInHunk = true;
    return isInHunk && line !== "";
  });
}

/** Lines that a patch adds, or removes, without their sign. */
export function signedLines(patch: string, sign: "+" | "-"): string[] {
  return hunkLines(patch)
    .filter((line) => line.startsWith(sign))
    .map((line) => line.slice(1));
}
