import { describe, expect, it } from "vitest";
import { readModule } from "./read-module.ts";

const DEVELOPMENT = { mode: "development", env: undefined, guarded: false };

describe("readModule", () => {
  it.each<{ code: string; names: string[]; stars?: string[] }>([
    { code: "exports.a = exports.b = 1; module.exports['c-d'] = 2; exports[e] = 3;", names: ["a", "b", "c-d"] },
    {
      code: "module.exports = { a, 'b': 1, get c() {}, [d]: 1, ...require('./e') };",
      names: ["a", "b", "c"],
      stars: ["./e"],
    },
    {
      code: "Object.defineProperty(exports, '__esModule', {}); Object.defineProperty(exports, 'a', { get() {} });",
      names: ["a"],
    },
    { code: "0 && (module.exports = { a, b });", names: ["a", "b"] },
    {
      code: "__exportStar(require('./a'), exports); tslib_1.__exportStar(require('./b'), exports); _export_star(require('./c'), exports);",
      names: [],
      stars: ["./a", "./b", "./c"],
    },
    { code: "_export(exports, { a: function() {}, b: () => 1 });", names: ["a", "b"] },
    {
      code: "var _a = require('./a'); Object.keys(_a).forEach(function (key) { exports[key] = _a[key]; });",
      names: [],
      stars: ["./a"],
    },
    {
      code: "if (process.env.NODE_ENV === 'production') { module.exports = require('./p'); } else { module.exports = require('./d'); }",
      names: [],
      stars: ["./d"],
    },
    {
      code: "export const a = 1, { b, c: [d], ...e } = x; export function f() {} export class G {} export default 1;",
      names: ["a", "b", "d", "e", "f", "G", "default"],
    },
    {
      code: "export { a as b, c as 'd-e' } from './x'; export * from './y'; export * as z from './z';",
      names: ["b", "d-e", "z"],
      stars: ["./y"],
    },
  ])("finds the exports of $code", ({ code, names, stars = [] }) => {
    const { exports } = readModule(code, DEVELOPMENT);
    expect([...exports.names].toSorted()).toEqual(names.toSorted());
    expect([...exports.stars].toSorted()).toEqual(stars);
  });

  it.each<{ code: string; imports: string[] }>([
    {
      code: "const a = require('a'), b = require(`b`), c = require(d), e = other.require('e');",
      imports: ["require a", "require b"],
    },
    {
      code: "import a from 'a'; export * from 'b'; import('c'); import(d); require('e');",
      imports: ["import a", "import b", "import c", "require e"],
    },
    { code: "// require('a')\n'require(\"b\")'; /require('c')/;", imports: [] },
    {
      code: "process.env.NODE_ENV !== 'production' && require('a'); process.env.NODE_ENV !== 'development' && require('b');",
      imports: ["require a"],
    },
    { code: "x = 'production' === process.env['NODE_ENV'] ? require('a') : require('b');", imports: ["require b"] },
    {
      code: "if (!(process.env.NODE_ENV === 'production') || y) require('a'); else require('b');",
      imports: ["require a"],
    },
    { code: "if (process.env.NODE_ENV === y) require('a'); else require('b');", imports: ["require a", "require b"] },
    {
      code: "import { createRequire } from 'm'; const require = createRequire(); require('a');",
      imports: ["import m"],
    },
  ])("finds the imports of $code", ({ code, imports }) => {
    const found = [...readModule(code, DEVELOPMENT).imports].map(([specifier, kind]) => `${kind} ${specifier}`);
    expect(found.toSorted()).toEqual(imports);
  });

  it.each([
    ["process.env.NODE_ENV", '"development"'],
    ["process.env.NODE_ENV = 'x'", "process.env.NODE_ENV = 'x'"],
    ["'process.env.NODE_ENV' // process.env.NODE_ENV", "'process.env.NODE_ENV' // process.env.NODE_ENV"],
    ["import('./a').then(import.meta.env)", "$import('./a').then(import.meta.env)"],
    ["typeof __VUE_OPTIONS_API__; a.__VUE_OPTIONS_API__ = b", "typeof true; a.__VUE_OPTIONS_API__ = b"],
    ["#!/usr/bin/env node\nexports.a", "///usr/bin/env node\nexports.a"],
    ["\uFEFFexports.a", "exports.a"],
  ])("writes %s as %s", (code, written) => {
    expect(readModule(code, DEVELOPMENT).source).toBe(written);
  });

  it("puts in what a browser's import.meta.env is", () => {
    expect(
      readModule("import.meta.env.DEV && import.meta.url", { mode: "x", env: "({})", guarded: false }).source,
    ).toBe("({}).DEV && import.meta.url");
  });

  it.each([
    ["await x;", true],
    ["for await (const a of b);", true],
    ["async () => { await x; for await (const a of b); }", false],
    ["class A { static async f() { await 1; } }", false],
  ])("knows whether %s waits", (code, waits) => {
    expect(readModule(code, DEVELOPMENT).waits).toBe(waits);
  });

  it.each(["with (a) {}", "var a = 010;", "{", "let let = 1;", "(".repeat(20_000)])("throws for %s", (code) => {
    expect(() => readModule(code, DEVELOPMENT)).toThrow(SyntaxError);
  });
});
