import { expect, test } from "vitest";
import { wrapStream } from "./wrap-stream.ts";

function wrap(pieces: readonly string[], width: number, indent?: string): string {
  let out = "";
  const stream = wrapStream((text) => (out += text), width, indent);
  for (const piece of pieces) stream.add(piece);
  stream.end();
  return out;
}

test.each([
  ["breaks between words", ["one two three"], 8, "one two\nthree\n"],
  ["joins pieces of a word", ["on", "e t", "wo"], 8, "one two\n"],
  ["keeps the line ends of the text", ["a\n\nb\n", "c"], 8, "a\n\nb\nc\n"],
  ["leaves a long word whole", ["a abcdefghijk b"], 6, "a\nabcdefghijk\nb\n"],
  ["ends with one line end", ["a\n"], 8, "a\n"],
  ["says nothing of nothing", [""], 8, ""],
])("%s", (_name, pieces, width, expected) => expect(wrap(pieces, width)).toBe(expected));

test("indents every line", () => expect(wrap(["one two\nthree"], 6, "> ")).toBe("> one\n> two\n> three\n"));
