import { describe, expect, it } from "vitest";
import { functionBody } from "./function-body.ts";

interface Ran {
  readonly exports: Record<string, unknown>;
  readonly value: unknown;
}

/** Runs a module with others that it imports; `value` is what it put into the global of that name. */
function run(source: string, others: Record<string, object> = {}): Ran {
  const exports: Record<string, unknown> = {};
  const out: { value: unknown } = { value: undefined };
  // oxlint-disable-next-line typescript/no-implied-eval -- what is tested is code
  const body = new Function("exports", "require", "out", functionBody(source)) as (...args: unknown[]) => void;
  body.call(undefined, exports, (name: string) => others[name], out);
  return { exports, value: out.value };
}

const P = { a: "A", default: "D", r: "R", f: (...args: unknown[]) => ["f", ...args], "odd-name": 1 };

describe("what is imported", () => {
  it.each<[code: string, value: unknown]>([
    ["import d, { a as b, 'odd-name' as odd } from 'p'; out.value = [d, b, odd];", ["D", "A", 1]],
    ["import * as all from 'p'; out.value = [all.a, { all }.all.r];", ["A", "R"]],
    [
      "import { a } from 'p'; const o = { a, b: a, [a]: 1, a2: { a: 2 } }; out.value = [o.a, o.b, o.A, o.a2.a];",
      ["A", "A", 1, 2],
    ],
    ["import { f } from 'p'; const x = 1\nf(x)\nout.value = f(1, ...[2])", ["f", 1, 2]],
    ["import { f } from 'p'; if (true) f(); else f(); for (;;) { f(); break; } out.value = f?.(3);", ["f", 3]],
    ["import { f } from 'p'; out.value = f`x${1}`[2];", 1],
    [
      "import { r } from 'p'; function g() { for (var i = 0, r = ''; i < 3; i++) r += i; return r; } out.value = [g(), r];",
      ["012", "R"],
    ],
    [
      "import { r } from 'p'; function g() { if (1) { for (var { r } of [{ r: 1 }]); } return r; } out.value = [g(), r];",
      [1, "R"],
    ],
    ["import { r } from 'p'; function g() { { function r() {} } return r; } out.value = g();", "R"],
    [
      "import { r } from 'p'; const g = (r) => r, h = ({ a: r = 2 }) => r, i = ([...r]) => r; out.value = [g(1), h({}), i([3])];",
      [1, 2, [3]],
    ],
    ["import { r } from 'p'; const g = (x = r) => { const r = 1; return [x, r]; }; out.value = g();", ["R", 1]],
    ["import { r } from 'p'; try { throw 1; } catch (r) { out.value = r; } out.value = [out.value, r];", [1, "R"]],
    [
      "import { r } from 'p'; class K { static { var r = 1; K.v = r; } static w = r; r() { return r; } } out.value = [K.v, K.w, new K().r()];",
      [1, "R", "R"],
    ],
    [
      "import { r } from 'p'; const K = class r { static x = typeof r; }; out.value = [K.x, (function r() { return typeof r; })()];",
      ["function", "function"],
    ],
    [
      "import { r } from 'p'; r: for (;;) { break r; } switch (1) { case 1: let r = 2; out.value = r; } out.value = [out.value, r];",
      [2, "R"],
    ],
    [
      "import { r } from 'p'; out.value = `${r} ${(() => { let r = 1; return r; })()}` + typeof r + new (class { r = r; })().r;",
      "R 1stringR",
    ],
    ["import { a } from 'p'; import { a as $m0 } from 'p'; const $m1 = 3; out.value = [a, $m0, $m1];", ["A", "A", 3]],
  ])("%s", (code, value) => {
    expect(run(code, { p: P }).value).toEqual(value);
  });

  it("is looked up when it is used, and called without this", () => {
    const other = {
      n: 1,
      who(this: unknown) {
        return this;
      },
    };
    const { exports } = run("import { n, who } from 'p'; export const now = () => n; export const self = who();", {
      p: other,
    });
    other.n = 2;
    expect((exports["now"] as () => number)()).toBe(2);
    expect(exports["self"]).toBeUndefined();
  });
});

describe("what is exported", () => {
  it.each<[code: string, exports: Record<string, unknown>]>([
    ["export const a = 1, b = 2;", { a: 1, b: 2 }],
    [
      "export let a, b = 2; a = 3; b++; [a] = [a + 1]; export var { c, d: [e], ...f } = { c: 1, d: [2], g: 3 };",
      { a: 4, b: 3, c: 1, e: 2, f: { g: 3 } },
    ],
    ["let a = 1; export { a, a as b, a as 'c d' }; a = 2;", { a: 2, b: 2, "c d": 2 }],
    ["export default [1] ; export { x as y }; const x = 1", { default: [1], y: 1 }],
    ["export default\n\nclass { static n = 1 }\n[1].length", { default: expect.any(Function) }],
    [
      "export default function named() {} named.x = 1; export async function h() {}",
      { default: expect.objectContaining({ x: 1 }), h: expect.any(Function) },
    ],
    ["export default async function () { return 1 }", { default: expect.any(Function) }],
    ["export { a, default as d } from 'p'; export * as all from 'p';", { a: "A", d: "D", all: P }],
    ["import { a, default as b } from 'p'; export { a, b as default };", { a: "A", default: "D" }],
    ["export * from 'p'; export const r = 'own';", { a: "A", r: "own", f: P.f, "odd-name": 1 }],
  ])("%s", (code, exports) => {
    expect({ ...run(code, { p: P }).exports }).toEqual(exports);
  });

  it("is there before the modules that it imports run", () => {
    let early: unknown;
    const exports: Record<string, unknown> = {};
    // oxlint-disable-next-line typescript/no-implied-eval -- what is tested is code
    const body = new Function("exports", "require", functionBody("import 'p'; export function f() { return 1; }")) as (
      ...args: unknown[]
    ) => void;
    body(exports, () => (early = (exports["f"] as () => number)()));
    expect(early).toBe(1);
  });
});

it("keeps its lines, and is strict", () => {
  const source = "// first\nimport {\n  a,\n} from 'p';\nexport default\n  a;\nthrow new Error();";
  const lines = functionBody(source).split("\n");
  expect(lines).toHaveLength(source.split("\n").length);
  expect(lines[6]).toContain("throw");
  expect(() => run("undeclared = 1; export {};")).toThrow(ReferenceError);
});
