import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlPieces } from "./html-pieces.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const url = "https://example.com/";
const signal = new AbortController().signal;
const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(" ");

describe("htmlPieces", () => {
  it("are the page, but for comments with nothing in them", () => {
    const part = fc.constantFrom(
      "<p>",
      "</p>",
      "text ",
      "a".repeat(40_000),
      "&amp;",
      "<img src='",
      "'>",
      " ",
      "<",
      "😀",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const html = parts.join("");
        const pieces = [...htmlPieces(html)];
        expect(pieces.join("").replaceAll("<!---->", "")).toBe(html);
        for (const piece of pieces) expect(piece.replace("<!---->", "")).not.toMatch(/[\ud800-\udbff]$/);
      }),
    );
  });

  it("end a text between words, and no attribute", () => {
    const pieces = [...htmlPieces(`<p>${words(20_000)}`)];
    expect(pieces.slice(1, -1).every((piece) => piece.endsWith(" <!---->"))).toBe(true);
    expect([...htmlPieces(`<img src="data:${"a".repeat(200_000)}">`)].join("")).not.toContain("<!---->");
  });

  it("are few where the parser keeps all of them back", () => {
    // Each is read again with the next one: what is read in all is at most twice the page and a bit.
    const pieces = [...htmlPieces(`<a title="${"x".repeat(3_000_000)}`)];
    let [held, read] = [0, 0];
    for (const piece of pieces) read += held += piece.length;
    expect(read).toBeLessThan(4 * held);
  });
});

describe("pages of one line", () => {
  it.each<[string, string, string]>([
    ["words", `<p>${words(200_000)}</p>`, words(200_000)],
    ["a text without a blank", `<p>${"x".repeat(1_000_000)}</p>`, "x".repeat(1_000_000)],
    ["references", `<p>${"&lt; ".repeat(100_000)}</p>`, "< ".repeat(100_000).trim()],
    ["an attribute", `<p title="${"x".repeat(2_000_000)}">a</p>`, "a"],
    ["a script", `<script>${"x = 1; ".repeat(100_000)}</script><p>a</p>`, "a"],
    ["a comment", `<!--${"x ".repeat(500_000)}--><p>a</p>`, "a"],
  ])("of %s", async (_name, html, markdown) => {
    const page = await htmlToMarkdown(html, url, signal);
    const plain = (text: string): string => text.replaceAll("\\<", "<").replaceAll(/(x{1000,}) /g, "$1");
    expect(plain(page.markdown) === markdown).toBe(true);
  });

  it("end when they are aborted", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("stop")), 5);
    await expect(htmlToMarkdown(`<p>${"x".repeat(8_000_000)}`, url, controller.signal)).rejects.toThrow("stop");
  });
});
