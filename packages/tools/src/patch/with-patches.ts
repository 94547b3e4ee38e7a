/** A patch in the format of Codex. */
export function codex(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
}

export function update(path: string, ...lines: string[]): string {
  return codex(`*** Update File: ${path}`, ...lines);
}

/** A unified diff of one file. */
export function diff(path: string, ...lines: string[]): string {
  return [`--- a/${path}`, `+++ b/${path}`, ...lines, ""].join("\n");
}

export const LINES = "one\ntwo\nthree\nfour\nfive\nsix\n";
