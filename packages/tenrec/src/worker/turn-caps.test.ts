import { expect, test } from "vitest";
import { turnCaps } from "./turn-caps.ts";

test.each([
  [{}, {}],
  [{ maxUsd: 0.5 }, { usd: 0.5 }],
  [{ maxUsd: undefined, maxSteps: 3 }, { steps: 3 }],
])("of %j are %j", (options, expected) => expect(turnCaps(options)).toEqual(expected));
