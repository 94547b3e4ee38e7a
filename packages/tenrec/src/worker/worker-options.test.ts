import { expect, test } from "vitest";
import { parseWorkerOptions, type WorkerOptions } from "./worker-options.ts";

const options: WorkerOptions = {
  model: "a/b",
  permission: "ask",
  maxUsd: 0.5,
  maxSteps: 3,
  instructions: "x",
  script: {},
};

test("come through as they were given", () => {
  expect(parseWorkerOptions(JSON.stringify(options))).toEqual(options);
});

test.each([
  [undefined, /TENREC_OPTIONS is not set/],
  [{ ...options, model: "b" }, /must be provider\/name[^]*at model/],
  [{ ...options, permission: "exec" }, /at permission/],
  [{ ...options, maxUsd: 0, maxSteps: 1.5 }, /at maxUsd[^]*at maxSteps/],
  [{ ...options, other: 1 }, /other/],
])("%j is refused", (value, message) => {
  expect(() => parseWorkerOptions(value && JSON.stringify(value))).toThrow(message);
});
