import { expect, test } from "vitest";
import { nextSteps } from "./next-steps.ts";

type Ended = Parameters<typeof nextSteps>[0];

const ended = (fields: Partial<Ended>): Ended => ({
  exitCode: 0,
  session: "id",
  reason: "done",
  applied: undefined,
  patch: undefined,
  hasChanges: true,
  ...fields,
});

test.each<[string, Partial<Ended>, RegExp]>([
  [
    "changes that were not applied",
    {},
    /^Nothing on disk was changed. Apply it: tenrec run --session id --apply\nGo on: /,
  ],
  ["no changes", { hasChanges: false }, /^Go on: tenrec run --session id "…"$/],
  ["applied changes", { applied: [{ path: "/a", status: "created" }] }, /^Go on: /],
  ["a refused file", { applied: [{ path: "/a", status: "refused", reason: "r" }] }, /^Your files are as they were/],
  ["a patch", { patch: "/x.diff" }, /^Go on: /],
  ["a question", { reason: "approval", exitCode: 3 }, /^Nobody is here to answer. .*--session id$/],
  ["a budget", { reason: "budget", exitCode: 3 }, /--max-cost <usd>$/],
  ["a cap on steps", { reason: "steps", exitCode: 3 }, /--max-steps <n>$/],
  ["a stop", { reason: "aborted", exitCode: 130 }, /^Stopped; the session is kept/],
])("after %s", (_name, fields, expected) => {
  expect(nextSteps(ended(fields), "tenrec").join("\n")).toMatch(expected);
});
