import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPrompt } from "./read-prompt.ts";

const folder = mkdtempSync(join(tmpdir(), "tenrec-prompt-"));
const image = join(folder, "a.PNG");
const large = join(folder, "b.jpg");
writeFileSync(image, "png");
writeFileSync(large, Buffer.alloc(1024 * 1024));

test.each([
  [["do it"], undefined, "do it"],
  [[], " from a pipe\n", "from a pipe"],
  [["review"], "the diff\n", "review\n\nthe diff"],
  [["-"], "all", "all"],
])("%j with %j from standard input", (words, stdin, text) => {
  expect(readPrompt({ words, stdin, images: [] })).toEqual([{ type: "text", text }]);
});

test("shows images as data", () => {
  expect(readPrompt({ words: ["x"], stdin: undefined, images: [image] })).toEqual([
    { type: "text", text: "x" },
    { type: "file", mediaType: "image/png", url: "data:image/png;base64,cG5n", filename: "a.PNG" },
  ]);
});

test("is empty where nothing was said", () => {
  expect(readPrompt({ words: [], stdin: " \n", images: [] })).toEqual([]);
});

test.each([
  ["a file that is no image", join(folder, "a.txt"), /no image that models take/],
  ["an image that is not there", join(folder, "none.png"), /cannot be read/],
  ["an image that is too large", large, /Use smaller images/],
])("refuses %s", (_name, path, message) => {
  expect(() => readPrompt({ words: ["x"], stdin: undefined, images: [path] })).toThrow(message);
});
