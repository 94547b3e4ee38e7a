import { expect, test } from "vitest";
import { traceRecords } from "./trace-record.ts";

const event = (logs: readonly unknown[], exceptions: readonly unknown[]): TraceItem =>
  ({ logs, exceptions }) as unknown as TraceItem;

test("an event is told as far as it has something to tell", () => {
  const log = { level: "log", message: ["asked", { a: 1 }], timestamp: 1 };
  const exception = { name: "Error", message: "boom", timestamp: 1 };
  expect(traceRecords([event([], []), event([log], []), event([], [exception])])).toEqual([
    { logs: [{ level: "log", message: 'asked {"a":1}' }], exceptions: [] },
    { logs: [], exceptions: [{ name: "Error", message: "boom", stack: "" }] },
  ]);
  expect(traceRecords([event([], [])])).toEqual([]);
});
