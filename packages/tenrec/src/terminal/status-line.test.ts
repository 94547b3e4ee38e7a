import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { statusLine } from "./status-line.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start(isTerminal: boolean): { line: ReturnType<typeof statusLine>; out: () => string } {
  let out = "";
  const line = statusLine({ write: (text) => (out += text), width: 12, isTerminal, now: () => Date.now() });
  return { line, out: () => out.replaceAll("\r\u001b[2K", "<clear>") };
}

test("is drawn in silence, cut to the width, and gone before the next text", () => {
  const { line, out } = start(true);
  line.write("one\n");
  line.set("waiting for something");
  vi.advanceTimersByTime(300);
  expect(out()).toBe("one\n");
  vi.advanceTimersByTime(200);
  expect(out()).toMatch(/^one\n<clear>. waiting f$/);
  line.write("two\n");
  expect(out()).toMatch(/<clear>two\n$/);
  line[Symbol.dispose]();
});

test("never breaks into a line, and says for how long", () => {
  const { line, out } = start(true);
  line.write("half");
  line.set("work");
  vi.advanceTimersByTime(3000);
  expect(out()).toBe("half");
  line.write(" whole\n");
  vi.advanceTimersByTime(1000);
  expect(out()).toMatch(/. work \(3 s$/);
  line[Symbol.dispose]();
  expect(out()).toMatch(/<clear>$/);
});

test("does nothing where there is no terminal", () => {
  const { line, out } = start(false);
  line.set("work");
  vi.advanceTimersByTime(3000);
  line.write("text\n");
  expect(out()).toBe("text\n");
});
