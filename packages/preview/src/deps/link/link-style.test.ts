import { describe, expect, test } from "vitest";
import { draftStyle } from "./link-style.ts";

test.each([
  [`@import "./b.css"; .a{}`, ["./b.css"]],
  [`@import url('c/d.css') ;`, ["c/d.css"]],
  [`/* @import "./b.css"; */ @import "https://example.com/a.css";`, []],
  [
    `a { background: url( "./a.png?x#y" ) } b { src: url(./b.woff2) } c { d: url(/e.png) url(data:x) }`,
    ["./a.png", "./b.woff2"],
  ],
  [`a { background: url(./open.png`, []],
])("what %s names is imported", (css, imports) => {
  expect([...draftStyle(css).imports.keys()]).toEqual(imports);
});

describe("what is not closed goes on to the end, and is read once", () => {
  test.each(["/* ", "url(", "url( ", `@import "a" `, "@import url( "])("%s", (open) => {
    const { imports } = draftStyle(`@import "./b.css";${open.repeat(300_000 / open.length)}`);
    expect(imports.has("./b.css")).toBe(true);
  });
});
