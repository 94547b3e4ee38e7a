import { expect, test } from "vitest";
import { toToolOutput } from "./tool-output.ts";

const outputs = { save: () => "/output/x.txt", read: () => undefined };

test.each([
  ["text", { text: "text" }],
  [{ a: 1 }, { text: '{"a":1}' }],
  [undefined, { text: "done" }],
  [
    { text: "t", isError: true, data: [1], more: 1 },
    { text: "t", isError: true, data: [1] },
  ],
  [{ text: "t", media: "abc" }, { text: "t" }],
  [
    { text: "t", media: [{ mediaType: "image/png", data: "AAAA" }, { mediaType: 1 }] },
    { text: "t", media: [{ mediaType: "image/png", data: "AAAA" }] },
  ],
])("%j", (value, output) => {
  expect(toToolOutput(value, outputs)).toEqual(output);
});

test("is cut at the caps", () => {
  expect(toToolOutput("x\n".repeat(100_000), outputs).text.length).toBeLessThan(60_000);
  expect(toToolOutput({ text: "x".repeat(1_000_000) }, outputs).text.length).toBeLessThan(60_000);
});
