import { expect, test } from "vitest";
import { isPortTaken, StartError } from "./start-error.ts";

test.each([
  [new StartError("… Address already in use (127.0.0.1:8787)."), true],
  [new StartError("The Worker could not be started."), false],
  [new Error("Address already in use"), false],
  [undefined, false],
])("%s is about a port that is taken: %s", (error, taken) => {
  expect(isPortTaken(error)).toBe(taken);
});
