import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { passedTests, uncovered } from "./kill/cover-points.ts";
import { type KillPoint, killPoints } from "./kill/kill-points.ts";
import { points } from "./kill/points.ts";
import { turnPoints } from "./kill/turn-points.ts";

const root = join(import.meta.dirname, "..");

test("the points are K1 to K28, each once", () => {
  expect(killPoints.map(({ id }) => id)).toEqual(Array.from({ length: 28 }, (_, i) => `K${i + 1}`));
});

test.each(killPoints)("$id names what is there", ({ shown }) => {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const invariants = read("packages/runtime/src/simulation/with-invariants.ts");
  const survivable = [...points, ...turnPoints].map(({ name }) => name);
  const missing = shown.filter((each) => {
    if (each.by === "simulation") return !invariants.includes(`\n  ${each.invariant}: `);
    return each.by === "test" ? !read(each.file).includes(`"${each.title}"`) : !survivable.includes(each.point);
  });
  expect(missing).toEqual([]);
});

test.each(killPoints.filter(({ owner }) => owner === "turns"))(
  "$id is shown by a simulation and a test",
  ({ shown }) => {
    expect(shown.map(({ by }) => by)).toEqual(expect.arrayContaining(["simulation", "test"]));
  },
);

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
    ],
  };
  const findings = {
    passed: passedTests(
      { testResults: [{ name: "/r/a.test.ts", assertionResults: [{ title: "dies before it", status: "passed" }] }] },
      "/r",
    ),
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
    [{ survived: new Set<string>() }, "not survived: p"],
  ])("is not with %o", (change, reason) => {
    expect(uncovered(point, { ...findings, ...change })).toEqual([reason]);
  });

  test("is not when nothing shows it", () => {
    expect(uncovered({ ...point, shown: [] }, findings)).toEqual(["nothing shows it"]);
  });
});
