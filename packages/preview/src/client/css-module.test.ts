import { describe, expect, it } from "vitest";
import { scopeClasses } from "./css-module.ts";

describe("scopeClasses", () => {
  it.each([
    [".a { margin: .5em }", ".a_x { margin: .5em }"],
    [".a.b > .c:not(.d)::after, p.e {}", ".a_x.b_x > .c_x:not(.d_x)::after, p.e_x {}"],
    ["@media (min-width: 1.5em) { .a { color: red } }", "@media (min-width: 1.5em) { .a_x { color: red } }"],
    [".a { &.b { top: 0 } .c & { top: 0 } }", ".a_x { &.b_x { top: 0 } .c_x & { top: 0 } }"],
    [":global(.a) .b { }", ".a .b_x { }"],
    [
      "/* .a {} */ p { content: '.b {'; background: url(c.png) }",
      "/* .a {} */ p { content: '.b {'; background: url(c.png) }",
    ],
    ["@import url('x.css'); .a {}", "@import url('x.css'); .a_x {}"],
    ["@keyframes k { 12.5% { top: 0 } }", "@keyframes k { 12.5% { top: 0 } }"],
  ])("writes %s as %s", (css, scoped) => {
    expect(scopeClasses(css, "x").css).toBe(scoped);
  });

  it("tells the names", () => {
    expect(scopeClasses(".a-b .c {}", "x").classes).toEqual({ "a-b": "a-b_x", c: "c_x" });
  });
});

describe("what is not closed goes on to the end, and is read once", () => {
  it.each(["/* ", "url(", ":global(", '"', "'", ".a{"])("%s", (open) => {
    const { classes } = scopeClasses(`.first {} ${open.repeat(300_000 / open.length)}`, "x");
    expect(classes["first"]).toBe("first_x");
  });
});
