import type { SessionRecord } from "../store/session-record.ts";
import { clip } from "../terminal/call-line.ts";
import { oneLine } from "../view/one-line.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A line for each session: id, when it was used, its folder and what it was asked first. */
export function sessionTable(sessions: readonly SessionRecord[], width: number, now: number): string {
  if (sessions.length === 0) return 'There are no sessions yet. Start one: tenrec run "<prompt>"\n';
  const rows = sessions.map(({ id, updatedAt, dir, title }) => [
    id,
    ageText(now - updatedAt),
    oneLine(dir),
    oneLine(title),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => clip(line.trimEnd(), width)).join("\n")}\n`;
}

function ageText(ms: number): string {
  for (const [name, size] of UNITS) {
    const count = Math.floor(ms / size);
    if (count > 0) return `${count} ${name}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
