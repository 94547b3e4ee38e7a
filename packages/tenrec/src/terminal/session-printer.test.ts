import type { TenrecEvent } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { plain } from "./paint.ts";
import { SessionPrinter } from "./session-printer.ts";

const at = { session: "s", seq: 1, at: 0, turn: 1, step: 1 };
const event = (type: string, fields: object): TenrecEvent => ({ ...at, type, ...fields }) as TenrecEvent;
const text = (piece: string): TenrecEvent => event("text-delta", { id: "t", text: piece });
const call = (id: string, toolName: string, input: object): TenrecEvent =>
  event("tool-call", { toolCallId: id, toolName, input });
const result = (id: string, toolName: string, output: object, fields: object = {}): TenrecEvent =>
  event("tool-result", { toolCallId: id, toolName, status: "ok", output, durationMs: 5, ...fields });
const said = (whole: string): TenrecEvent => event("step-end", { content: [{ type: "text", text: whole }] });

function print(events: readonly TenrecEvent[], width = 60): string {
  let out = "";
  const printer = new SessionPrinter({
    write: (piece) => (out += piece),
    paint: plain,
    width,
    hint: "Answer in the page: http://page",
  });
  for (const next of events) printer.add(next);
  return out;
}

test("prints text as it streams and each call as a line, with space between", () => {
  const out = print([
    event("reasoning-delta", { id: "r", text: "Look first." }),
    text("I'll "),
    text("read it."),
    call("1", "read", { path: "a.ts" }),
    said("I'll read it."),
    result("1", "read", { text: "1\ta", data: { lines: 1 } }),
    call("2", "bash", { command: "false" }),
    result("2", "bash", { text: "[exit code 1]", data: { exitCode: 1 } }, { durationMs: 1200 }),
    text("Done."),
    said("Done."),
    event("turn-end", { reason: "done", text: "Done." }),
  ]);
  expect(out).toBe(
    [
      "  Look first.",
      "",
      "I'll read it.",
      "",
      "✓ read   a.ts  1 line",
      "✗ bash   false  exit code 1, 1.2 s",
      "",
      "Done.",
      "",
    ].join("\n"),
  );
});

test("prints at the end of a step what a lost connection kept back", () => {
  expect(print([text("One "), said("One two three.")])).toBe("One two three.\n");
});

test("prints nothing that steers the terminal", () => {
  expect(print([text("a\u001b[2Jb\r\nc"), said("a\u001b[2Jb\r\nc")])).toBe("a�[2Jb\nc\n");
});

test("shortens a long argument to the line", () => {
  const out = print([
    call("1", "bash", { command: "x".repeat(200) }),
    result("1", "bash", { text: "a", data: { exitCode: 0 } }),
  ]);
  expect(out).toMatch(/^✓ bash {3}x+…  1 line\n$/);
  expect(out.length).toBeLessThanOrEqual(61);
});

test("says what waits for an answer and where to give it, what went wrong, and why a turn stopped", () => {
  const out = print([
    event("approval-request", { permission: "network", detail: "curl\nx" }),
    event("approval-answer", { approved: false, reason: "no" }),
    event("error", { error: { code: "model-failed", message: "The key was refused.", data: {} } }),
    event("step-start", { attempt: 2 }),
    event("turn-end", { reason: "budget", text: "Stopped: too costly." }),
  ]);
  expect(out).toBe(
    [
      "Waits for your approval (network):",
      "  curl ⏎ x",
      "Answer in the page: http://page",
      "Refused: no",
      "The key was refused.",
      "Trying again (call 2).",
      "Stopped: too costly.",
      "",
    ].join("\n"),
  );
});
