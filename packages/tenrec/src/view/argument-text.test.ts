import type { Json } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { argumentText } from "./argument-text.ts";

test.each<[Json, string]>([
  [{ path: "a.ts", limit: 3 }, "path: a.ts\nlimit: 3"],
  [{ content: "one\ntwo" }, "content:\none\ntwo"],
  [{ edits: [{ oldText: "a", all: true }] }, "edits[0].oldText: a\nedits[0].all: true"],
  ["not an object", "not an object"],
  [{}, ""],
])("shows %j", (input, expected) => expect(argumentText(input)).toBe(expected));
