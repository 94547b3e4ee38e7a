import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askApproval } from "./ask-approval.ts";

test.each([
  ["y\n", { approved: true }],
  ["YES\n", { approved: true }],
  ["n\n", { approved: false }],
  ["\n", { approved: false }],
  ["use the other file\n", { approved: false, reason: "use the other file" }],
  ["yes, but not now\n", { approved: false, reason: "yes, but not now" }],
])("%j", async (line, expected) => {
  const input = new PassThrough();
  let asked = "";
  const answer = askApproval({ input, write: (text) => (asked += text), stop: new AbortController().signal });
  input.write(line);
  expect(await answer).toEqual(expected);
  expect(asked).toMatch(/y = yes, n = no/);
});

test("an input that ends is a no", async () => {
  const input = new PassThrough();
  const answer = askApproval({ input, write() {}, stop: new AbortController().signal });
  input.end();
  expect(await answer).toEqual({ approved: false });
});

test("Ctrl-C takes the question back", async () => {
  const stop = new AbortController();
  const answer = askApproval({ input: new PassThrough(), write() {}, stop: stop.signal });
  stop.abort();
  await expect(answer).rejects.toThrow(/aborted/);
});
