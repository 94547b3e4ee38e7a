import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killPoints } from "./kill/kill-points.ts";

const root = join(import.meta.dirname, "..");

test("the points are K1 to K28, each once", () => {
  expect(killPoints.map(({ id }) => id)).toEqual(Array.from({ length: 28 }, (_, i) => `K${i + 1}`));
});

const own = killPoints.filter(({ owner }) => owner === "turns");

test.each(own)("$id is shown by a simulation and by a test that is there", ({ shown }) => {
  expect(new Set(shown.map(({ by }) => by))).toEqual(new Set(["simulation", "test"]));
  const invariants = readFileSync(join(root, "packages/runtime/src/simulation/with-invariants.ts"), "utf8");
  for (const each of shown) {
    if (each.by === "simulation") expect(invariants).toContain(`\n  ${each.invariant}: `);
    if (each.by === "test") expect(readFileSync(join(root, each.file), "utf8")).toContain(`"${each.title}"`);
  }
});
