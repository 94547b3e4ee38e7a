import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const KNOWN = ["run", "dev", "sessions", "models", "doctor", "completion"];

test.each([
  ["rnu", "run"],
  ["modles", "models"],
  ["sess", "sessions"],
  ["doc", "doctor"],
  ["rn", "run"],
  ["frobnicate", undefined],
  ["x", undefined],
])("of %s is %s", (word, expected) => expect(nearest(word, KNOWN)).toBe(expected));
