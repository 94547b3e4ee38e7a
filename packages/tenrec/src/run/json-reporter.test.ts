import type { TenrecEvent } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { jsonReporter } from "./json-reporter.ts";

test("prints durable events and its own lines, and nothing else", () => {
  let out = "";
  let told = "";
  const reporter = jsonReporter(
    (line) => (out += line),
    (text) => (told += text),
  );
  const info = { session: "s", dir: "/d", model: "a/b", permission: "edit", isNew: true, files: 1, bytes: 2 };
  reporter.status("working");
  reporter.warn("careful");
  reporter.start({ ...info, because: "--model" });
  reporter.event({ type: "text-delta", text: "x" } as TenrecEvent);
  reporter.event({ type: "abort", seq: 1, at: 0, session: "s" });
  reporter.diff([]);
  const lines = out.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { type: "start", ...info },
    { type: "abort", seq: 1, at: 0, session: "s" },
    { type: "diff", files: [] },
  ]);
  expect(told).toBe("careful");
});
