import { expect, test } from "vitest";
import { Report } from "./report.ts";
import { summaryOf } from "./summary-of.ts";

function reportOn() {
  const lines: string[] = [];
  const report = new Report(
    "vfs",
    (line) => lines.push(line),
    () => {},
  );
  return { report, rows: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test("a measurement is a line", () => {
  const { report, rows } = reportOn();
  report.measured("read", "tenrec", [12.12345, 11, 15.2]);
  const expected = {
    bench: "vfs",
    case: "read",
    subject: "tenrec",
    unit: "ms",
    median: 12.12,
    min: 11,
    max: 15.2,
    runs: 3,
  };
  expect(rows()).toEqual([expected]);
});

test.each([
  { name: "twice as fast as a peer", tenrec: 10, peer: 20, goal: 1, ratio: 2, met: true },
  { name: "half as fast as a peer", tenrec: 20, peer: 10, goal: 1, ratio: 0.5, met: false },
  { name: "ten times as fast, as it has to be", tenrec: 2, peer: 20, goal: 10, ratio: 10, met: true },
  { name: "three times as slow, as it may be", tenrec: 30, peer: 10, goal: 1 / 3, ratio: 0.333, met: true },
  { name: "a little slower than it may be", tenrec: 30.01, peer: 10, goal: 1 / 3, ratio: 0.333, met: false },
])("$name", ({ tenrec, peer, goal, ratio, met }) => {
  const { report, rows } = reportOn();
  report.measured("read", "tenrec", [tenrec]);
  report.measured("read", "shell", [peer]);
  report.expectRatio("read", "shell", goal);
  report.finish();
  expect(rows().at(-1)).toMatchObject({ bench: "vfs", case: "read", peer: "shell", ratio, better: "higher", met });
});

test.each([
  { value: 32, ratio: 2, met: true },
  { value: 64, ratio: 1, met: true },
  { value: 128, ratio: 0.5, met: false },
])("$value MB where 64 are allowed", ({ value, ratio, met }) => {
  const { report, rows } = reportOn();
  report.measured("memory", "tenrec", [value], "MB");
  report.expectAtMost("memory", 64, "MB");
  report.finish();
  expect(rows().at(-1)).toMatchObject({ case: "memory", peer: "64 MB", ratio, goal: 1, met });
});

test("a ratio follows from the printed medians", () => {
  const { report, rows } = reportOn();
  report.measured("read", "tenrec", [1.00004]);
  report.measured("read", "shell", [1.00001]);
  report.expectRatio("read", "shell", 1);
  report.finish();
  expect(rows().map((row) => row["median"] ?? row["ratio"])).toEqual([1, 1, 1]);
  expect(rows().at(-1)).toMatchObject({ met: true });
});

test("goals come after all measurements, and none for what was not measured", () => {
  const { report, rows } = reportOn();
  report.measured("a", "tenrec", [1]);
  report.measured("a", "shell", [1]);
  report.expectRatio("a", "shell", 1);
  report.expectRatio("a", "computer", 1);
  report.expectAtMost("unknown", 1, "ms");
  report.measured("b", "tenrec", [1]);
  expect(report.finish()).toHaveLength(1);
  expect(rows().map((row) => `${String(row["case"])} ${"peer" in row ? "goal" : "time"}`)).toEqual([
    "a time",
    "a time",
    "b time",
    "a goal",
  ]);
});

test("the summary counts goals and names what is missed or wrong", () => {
  const { report } = reportOn();
  report.measured("read", "tenrec", [2]);
  for (const peer of ["shell", "computer"]) report.measured("read", peer, [peer === "shell" ? 1 : 4]);
  report.expectRatio("read", "shell", 1);
  report.expectRatio("read", "computer", 1);
  report.fail("read: other bytes");
  expect(summaryOf(report.finish(), report.failures)).toEqual([
    "1 of 2 goals met",
    "  missed: read against shell: 0.5, not 1",
    "  wrong: read: other bytes",
  ]);
});
