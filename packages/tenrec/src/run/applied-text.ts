import type { FileOutcome } from "../folder/apply-changes.ts";
import type { Paint } from "../terminal/paint.ts";
import { oneLine } from "../view/one-line.ts";

/** What `--apply` did: a line for each file that was refused, and how many were changed. */
export function appliedText(files: readonly FileOutcome[], paint: Paint): string {
  if (files.length === 0) return "There is nothing to apply.\n";
  const refused = files.flatMap((file) => (file.status === "refused" ? [file] : []));
  const changed = files.filter(({ status }) => status !== "refused" && status !== "unchanged").length;
  const lines = refused.map(({ path, reason }) => paint("red", `✗ ${oneLine(path.slice(1))}: refused: ${reason}`));
  const total = `${changed} file${changed === 1 ? "" : "s"} applied${refused.length > 0 ? `, ${refused.length} refused` : ""}`;
  return [...lines, refused.length > 0 ? total : paint("green", total), ""].join("\n");
}
