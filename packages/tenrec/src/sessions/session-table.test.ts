import { expect, test } from "vitest";
import type { SessionRecord } from "../store/session-record.ts";
import { sessionTable } from "./session-table.ts";

const record = (id: string, ago: number, title: string): SessionRecord => ({
  id,
  dir: `/home/me/${id}`,
  title,
  createdAt: 0,
  updatedAt: 1e9 - ago,
  model: "a/b",
  base: { entries: {} },
});

test("has a line for each session, none wider than the terminal", () => {
  const rows = [
    record("a", 10, "Fix\u001b[2J it"),
    record("bb", 3 * 60_000, "x".repeat(80)),
    record("c", 86_400_000, "y"),
  ];
  expect(sessionTable(rows, 50, 1e9)).toBe(
    [
      "a   just now       /home/me/a   Fix�[2J it",
      `bb  3 minutes ago  /home/me/bb  ${"x".repeat(17)}…`,
      "c   1 day ago      /home/me/c   y",
      "",
    ].join("\n"),
  );
});

test("says how to start the first", () => expect(sessionTable([], 80, 0)).toContain("tenrec run"));
