import { describe, expect, test } from "vitest";
import { guardInsertions } from "./guard-loops.ts";
import { insertedIn, insertTexts, placeBefore } from "./insert-texts.ts";

/** The code with `$` for each step. */
function guarded(code: string, format: "esm" | "cjs" = "esm"): string {
  return insertTexts(code, guardInsertions(code, format)).replaceAll('typeof tnr$>"u"||tnr$()', "$$");
}

test.each([
  ["a loop", "while (a) { b }", "while (a) {$; b }"],
  ["a loop of nothing", "for (;;);", "for (;;) {$;;}".replace(" {", "{")],
  ["loops within loops", "for (a of b) for (c in d) e();\nf()", "for (a of b) {$;for (c in d) {$;e();}}\nf()"],
  ["do", "do x(); while (1)", "do {$;x();} while (1)"],
  ["a label", "a: for (;;) { continue a }", "a: for (;;) {$; continue a }"],
  ["a branch", "if (a) for (;;) b(); else c()", "if (a) for (;;) {$;b();} else c()"],
  ["a function", "function f() { g() }", "function f() {$; g() }"],
  ["a function that calls nothing", "function f() { return 1 }", "function f() {$; return 1 }"],
  ["a function of nothing", "function f() {}", "function f() {$;}"],
  ["a function with nothing but a directive", `function f() { "use strict" }`, `function f() { "use strict" ;$;}`],
  ["the value of a field", "class A { a = f(); static #b = new B }", "class A { a = ($,f()); static #b = ($,new B) }"],
  ["a field that gives its value a name", "class A { a = () => b; c; }", "class A { a = () => ($,b); c; }"],
  ["a static block", "class A { static { while (a) b() } }", "class A { static { while (a) {$;b()} } }"],
  ["a directive", `function f() { "use strict"\n g() }`, `function f() { "use strict"\n ;$;g() }`],
  ["an expression", "const f = async (x) => await g(x), h = 1", "const f = async (x) => ($,await g(x)), h = 1"],
  ["an object", "const f = (x) => ({ a: x() });", "const f = (x) => (($,{ a: x() }));"],
  ["functions within functions", "a((b) => c((d) => e(d)))", "a((b) => ($,c((d) => ($,e(d)))))"],
  ["a loop that ends with a function", "while (a) f = (x) => g(x)\nb()", "while (a) {$;f = (x) => ($,g(x))}\nb()"],
  [
    "a method, a getter and a constructor",
    "class A extends B { constructor() { super() } get a() { return b() } c() {} }",
    "class A extends B { constructor() {$; super() } get a() {$; return b() } c() {$;} }",
  ],
  ["a generator", "function* f() { yield* f() }", "function* f() {$; yield* f() }"],
  [
    "what a parameter is by default",
    "const f = (a = g(f), b = 1) => {}",
    "const f = (a = ($,g(f)), b = ($,1)) => {$;}",
  ],
  ["a default that has its name from there", "function f(a = () => b) {}", "function f(a = () => ($,b)) {$;}"],
  [
    "parameters that are taken apart",
    "class A { m({ [b()]: { c = d() } }, [, e = f(), ...{ [g()]: h }] = i) {} }",
    "class A { m({ [($,b())]: { c = ($,d()) } }, [, e = ($,f()), ...{ [($,g())]: h }] = ($,i)) {$;} }",
  ],
])("%s", (_, code, expected) => {
  expect(guarded(code)).toBe(expected);
});

test.each([
  ["what is not strict", "while (010) b()", "while (010) {$;b()}"],
  ["text that would run among its names", "a = eval(b); c.eval(d)", "a = (0, eval)(b); c.eval(d)"],
  ["a return", "for (;;) return", "for (;;) {$;return}"],
  ["what a module would take for an operator", "a\n<!-- /*\nfor (;;);/**/", "a\n<!-- /*\nfor (;;){$;;}/**/"],
])("of CommonJS, %s", (_, code, expected) => {
  expect(guarded(code, "cjs")).toBe(expected);
});

test.each([
  ["esm", "while (a {"],
  ["esm", "with (a) for (;;);"],
  ["cjs", "with (a) for (;;);"],
  ["esm", "const tnr$ = () => {}; for (;;);"],
  ["esm", "function f(tn\\u0072$) { for (;;); }"],
  ["cjs", "export const a = 1; for (;;);"],
] as const)("what cannot be counted as %s is refused: %s", (format, code) => {
  expect(() => guardInsertions(code, format)).toThrow(SyntaxError);
});

describe("places", () => {
  const code = `const a = 1; for (;;) { b(); for (;;) c(); d(); }\nconst e = () => f(g);`;
  const insertions = guardInsertions(code, "esm");
  const made = insertTexts(code, insertions);
  const inserted = insertedIn(made, insertions);
  const placeOf = (text: string, word: string): { line: number; column: number } => {
    const before = text.slice(0, text.indexOf(word)).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };

  test.each(["a = 1", "b()", "c()", "d()", "f(g)", "g)"])("of %s are those before", (word) => {
    expect(placeBefore(inserted, placeOf(made, word))).toEqual(placeOf(code, word));
  });

  test("of what was put in are where it was put", () => {
    const { line, column } = placeOf(made, "typeof");
    expect(placeBefore(inserted, { line, column: column + 5 })).toEqual({
      line: 1,
      column: placeOf(code, " b()").column,
    });
  });
});
