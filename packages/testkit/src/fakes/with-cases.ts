import type { ContractCase } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";

const dispose = { [Symbol.asyncDispose]: async (): Promise<void> => {} };

/** Runs a port's contract cases on a subject. */
export function keepsContract<Subject extends object>(
  name: string,
  cases: readonly ContractCase<Subject>[],
  make: () => Subject,
): void {
  describe(`${name} keeps its contract`, () => {
    test.for(cases.map((one) => [one.name, one] as const))("%s", async ([, one]) => {
      await expect(one.run(async () => ({ ...make(), ...dispose }))).resolves.toBeUndefined();
    });
  });
}

/** Shows that each case can fail: one subject for each, broken in just the way that the case is about. */
export function canFail<Subject extends object>(
  cases: readonly ContractCase<Subject>[],
  broken: Readonly<Record<string, () => Subject>>,
): void {
  describe("a broken subject fails", () => {
    test("every case has one", () => {
      expect(Object.keys(broken).toSorted()).toEqual(cases.map((one) => one.name).toSorted());
    });
    test.for(cases.map((one) => [one.name, one] as const))("%s", async ([name, one]) => {
      const make = broken[name];
      if (!make) throw new Error("no broken subject");
      await expect(one.run(async () => ({ ...make(), ...dispose }))).rejects.toThrow("expected");
    });
  });
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
