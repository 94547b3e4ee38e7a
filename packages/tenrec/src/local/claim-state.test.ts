import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimState } from "./claim-state.ts";

test("two at a time have folders of their own; a claim of the dead is taken over", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-state-"));
  const first = claimState(folder);
  const second = claimState(folder);
  expect([first.path, first.isExtra]).toEqual([join(folder, "state"), false]);
  expect([second.path, second.isExtra]).toEqual([join(folder, "state-2"), true]);
  first.release();
  expect(claimState(folder).path).toBe(first.path);
  writeFileSync(`${second.path}.pid`, "999999999");
  expect(claimState(folder).path).toBe(second.path);
});
