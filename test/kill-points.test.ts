import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ranTests, uncovered } from "./kill/cover-points.ts";
import { BUILT, type KillPoint, killPoints } from "./kill/kill-points.ts";
import { commitLoops, points } from "./kill/points.ts";
import { previewPoints } from "./kill/preview-points.ts";
import { reportOf } from "./kill/report.ts";
import { selectPoints } from "./kill/select-points.ts";
import { turnPoints } from "./kill/turn-points.ts";

const root = join(import.meta.dirname, "..");

test("the points are K1 to K28, each once", () => {
  expect(killPoints.map(({ id }) => id)).toEqual(Array.from({ length: 28 }, (_, i) => `K${i + 1}`));
});

test.each(killPoints)("$id names what is there", ({ shown }) => {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const invariants = read("packages/runtime/src/simulation/with-invariants.ts");
  const survivable = [...points, ...turnPoints, ...previewPoints].map(({ name }) => name);
  const missing = shown.filter((each) => {
    if (each.by === "simulation") return !invariants.includes(`\n  ${each.invariant}: `);
    if (each.by === "SIGKILL") return !survivable.includes(each.point);
    return each.by !== "nothing" && !read(each.file).includes(`"${each.title}"`);
  });
  expect(missing).toEqual([]);
});

test.each(killPoints.filter(({ owner }) => BUILT.includes(owner)))(
  "$id is shown by an abort and by a SIGKILL, or says why not",
  ({ owner, shown }) => {
    const ways = shown.map((each) => (each.by === "nothing" ? each.instead : each.by));
    // What a store does alone has a model of its own.
    const simulation = owner === "turns" ? ["simulation"] : [];
    expect(ways).toEqual(expect.arrayContaining(["abort", "SIGKILL", ...simulation]));
  },
);

test("every moment of a turn at which workerd is killed shows a point", () => {
  const named = killPoints.flatMap(({ shown }) => shown.flatMap((each) => (each.by === "SIGKILL" ? [each.point] : [])));
  expect(turnPoints.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

describe("a point", () => {
  const point: KillPoint = {
    id: "K0",
    title: "t",
    holds: "h",
    owner: "turns",
    shown: [
      { by: "simulation", invariant: "I1" },
      { by: "test", file: "a.test.ts", title: "dies %s it" },
      { by: "SIGKILL", point: "p" },
      { by: "nothing", instead: "abort", because: "it is no object" },
    ],
  };
  const rows = ["before", "after"].map((when) => ({ title: `dies ${when} it`, status: "passed" }));
  const findings = {
    ...ranTests({ testResults: [{ name: "/r/a.test.ts", assertionResults: rows }] }, "/r"),
    violations: new Map([["I1", 0]]),
    survived: new Set(["p"]),
  };

  test("is covered when all that shows it holds", () => {
    expect(uncovered(point, findings)).toEqual([]);
  });

  test.each([
    [{ violations: new Map([["I1", 2]]) }, "I1 is violated"],
    [{ violations: new Map() }, "I1 is violated"],
    [{ passed: [] }, "not passed: dies %s it"],
    [{ failed: ["a.test.ts dies after it"] }, "not passed: dies %s it"],
    [{ survived: new Set<string>() }, "not survived: p"],
  ])("is not with %o", (change, reason) => {
    expect(uncovered(point, { ...findings, ...change })).toEqual([reason]);
  });

  test("is not when nothing shows it", () => {
    expect(uncovered({ ...point, shown: [] }, findings)).toEqual(["nothing shows it"]);
  });

  test("is reported with its owner's count, each violation with its invariant", () => {
    const { passed, failed } = findings;
    const outcome = { name: "p", owner: "turns", isCovered: true, violations: [] };
    const run = { tests: { passed, failed }, outcomes: [outcome], simulated: { I1: [] } };
    const none = Array.from({ length: 10 }, (_, i) => `I${i + 1} 0`).join(", ");
    expect(reportOf([point], run)).toEqual({
      failed: 0,
      lines: [
        "✓ turns: K0 t",
        "    no abort: it is no object",
        "by simulation: 1 of 1, of 1 points that are there",
        "by abort: 0 of 0, of 1 points that are there",
        "by SIGKILL: 1 of 1, of 1 points that are there",
      ],
      last: `points covered: turns 1 of 1; violations: ${none}`,
    });
    const violated = { ...run, outcomes: [{ ...outcome, violations: ["I4: torn", "I4: gone"] }] };
    expect(reportOf([point], violated)).toMatchObject({
      failed: 1,
      last: `points covered: turns 0 of 1; violations: ${none.replace("I4 0", "I4 2")}`,
    });
    const missed = { ...run, outcomes: [{ ...outcome, isCovered: false }] };
    expect(reportOf([point], missed)).toMatchObject({ failed: 1 });
    expect(reportOf([{ ...point, owner: "race" }], missed)).toMatchObject({ failed: 0 });
  });
});

describe("what is to be run", () => {
  test("is everything without a filter", () => {
    const { kills, points: chosen, loops, turns, files, isSimulated } = selectPoints([]);
    expect({ kills, chosen, loops, turns }).toEqual({
      kills: killPoints,
      chosen: points,
      loops: commitLoops,
      turns: turnPoints,
    });
    expect(files).toContain("packages/vfs/src/crash");
    expect(isSimulated).toBe(true);
  });

  test("is a point with all that shows it", () => {
    const { kills, points: chosen, loops, turns, files, isSimulated } = selectPoints(["k14", "K6"]);
    expect(kills.map(({ id }) => id)).toEqual(["K14", "K6"]);
    expect(chosen).toHaveLength(5);
    expect(loops).toEqual([]);
    expect(turns.map(({ name }) => name)).toEqual(["the arguments of a call are being told"]);
    expect(files).toContain("packages/vfs/src/crash/explore.workers.test.ts");
    expect(files).not.toContain("packages/vfs/src/crash");
    expect(isSimulated).toBe(true);
  });

  test("is what has some words in its name", () => {
    const { kills, turns, loops, files, isSimulated } = selectPoints(["is being told", "(2)"]);
    expect({ kills, files, isSimulated }).toEqual({ kills: [], files: [], isSimulated: false });
    expect(turns).toHaveLength(2);
    expect(loops).toEqual(commitLoops.slice(1));
  });

  test.each(["K29", "K", "no such point", ""])("is refused for %j, which names nothing, or everything", (filter) => {
    expect(() => selectPoints([filter])).toThrow("No point has");
  });
});
