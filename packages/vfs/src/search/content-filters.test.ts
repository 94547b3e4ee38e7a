import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ContentFilters, FilterQuestion } from "./content-filters.ts";

const encoder = new TextEncoder();

function ask(content: Uint8Array, ...texts: string[]): boolean | undefined {
  const filters = new ContentFilters();
  filters.learn("hash", content);
  const filter = filters.get("hash");
  const question = FilterQuestion.of(texts.map((text) => encoder.encode(text)));
  return filter && question?.mayFind(filter);
}

describe("a filter of a content", () => {
  test("never denies what is there", () => {
    const bytes = fc.uint8Array({ minLength: 3, maxLength: 3000 });
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat(), (content, from, length) => {
        const start = from % (content.length - 2);
        const text = content.subarray(start, start + 3 + (length % 20));
        const filters = new ContentFilters();
        filters.learn("hash", content);
        const question = FilterQuestion.of([new Uint8Array([1, 2, 3, 250, 251, 252]), text]);
        return question?.mayFind(filters.get("hash") as Uint8Array) === true;
      }),
    );
  });

  test("denies nearly everything else", () => {
    const content = encoder.encode(
      Array.from({ length: 300 }, (_, n) => `const value${n} = compute(${n * 7919});`).join("\n"),
    );
    expect(ask(content, "compute(")).toBe(true);
    const words = ["Durable", "transactionSync", "overlay.write", "DISTRIBUTED", "<template>", "äöüß"];
    expect(words.filter((word) => ask(content, word))).toEqual([]);
    expect(ask(content, "DISTRIBUTED", "value12")).toBe(true);
  });

  test.each([
    ["empty", new Uint8Array(0), false],
    ["of two bytes", encoder.encode("ab"), false],
    ["of three", encoder.encode("abc"), true],
    ["of a megabyte", new Uint8Array(1024 * 1024).fill(97).fill(98, 7, 8).fill(99, 8, 9), true],
  ])("of a content %s", (_, content, expected) => {
    expect(ask(content, "abc")).toBe(expected);
  });

  test("says nothing of short texts, or when a text may be empty", () => {
    expect(FilterQuestion.of([encoder.encode("ab")])).toBeUndefined();
    expect(FilterQuestion.of([encoder.encode("abc"), encoder.encode("d")])).toBeUndefined();
    expect(FilterQuestion.of([])).toBeUndefined();
  });

  test("stays when there is no room for more, until most of what comes is of other files", () => {
    const filters = new ContentFilters();
    const content = new Uint8Array(1024 * 1024);
    const known = (from: number, to: number): number => {
      let count = 0;
      for (let n = from; n < to; n++) if (filters.get(`${n}`)) count++;
      return count;
    };
    for (let n = 0; n < 500; n++) filters.learn(`${n}`, content);
    expect([known(0, 256), known(256, 500)]).toEqual([256, 0]);
    for (let n = 1000; n < 2500; n++) filters.learn(`${n}`, content);
    expect(known(0, 256)).toBe(0);
    expect(known(1000, 2500)).toBe(256);
  });
});
