import { describe, expect, it } from "vitest";
import { memoryCache } from "./cache/memory-cache.ts";
import type { Dependencies, DependencyRequest } from "./dependencies.ts";
import { createDependencyBundler } from "./dependency-bundler.ts";
import { ask } from "./with-loader.workers.ts";
import { fakeRegistry, type MadePackage, REGISTRY } from "./with-registry.ts";

type Files = MadePackage["files"];

/** `name` with these fields of its manifest and these files. */
function made(name: string, files: Files, fields: Readonly<Record<string, unknown>> = {}): MadePackage {
  return { manifest: { name, version: "1.0.0", ...fields }, files };
}

async function bring(
  packages: readonly MadePackage[],
  specifiers: readonly string[],
  request: Partial<DependencyRequest> & { readonly type?: string } = {},
): Promise<Dependencies> {
  const { egress } = await fakeRegistry(packages);
  const bundler = createDependencyBundler({ egress, cache: memoryCache(10_000_000), registry: REGISTRY });
  const dependencies = Object.fromEntries(packages.map(({ manifest }) => [manifest.name, "1.0.0"]));
  return await bundler.bundle({
    specifiers,
    manifest: JSON.stringify({ dependencies, ...(request.type ? { type: request.type } : {}) }),
    lockfile: undefined,
    target: "worker",
    conditions: ["workerd", "worker", "browser"],
    signal: new AbortController().signal,
    ...request,
  });
}

/** What an app makes of these packages: the value of an expression, with `imports` before it. */
async function valueOf(imports: string, expression: string, dependencies: Dependencies): Promise<unknown> {
  expect(dependencies.problems).toEqual([]);
  const source = `${imports}\nexport default { async fetch() { return Response.json(await (${expression})); } };`;
  return await (await ask(source, dependencies)).json();
}

const COMPILED = `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = "the default"; exports.named = 1;`;

describe("CommonJS", () => {
  it.each<{
    title: string;
    files: Files;
    imports: string;
    expression: string;
    value: unknown;
    type?: string;
    names?: string[];
  }>([
    {
      title: "names",
      files: { "index.js": "exports.a = 1; module.exports.b = 2;" },
      imports: `import { a, b } from "p";`,
      expression: "[a, b]",
      value: [1, 2],
    },
    {
      title: "an object",
      files: { "index.js": "module.exports = { a: 1, 'b': 2, c() { return 3; } };" },
      imports: `import p, { a, b, c } from "p";`,
      expression: "[a, b, c(), p.a]",
      value: [1, 2, 3, 1],
    },
    {
      title: "a function",
      files: { "index.js": "module.exports = function f() { return 7; }; module.exports.x = 1;" },
      imports: `import p, { x } from "p"; import * as all from "p";`,
      expression: "[p(), x, all.x]",
      value: [7, 1, 1],
    },
    {
      title: "another file",
      files: { "index.js": "module.exports = require('./lib');", "lib/index.js": "exports.a = __dirname;" },
      imports: `import { a } from "p";`,
      expression: "a",
      value: "/",
    },
    {
      title: "stars of compilers",
      files: {
        "index.js":
          "var __exportStar = (m, e) => { for (const k in m) e[k] = m[k]; }; __exportStar(require('./a'), exports);",
        "a.js": "exports.a = 1;",
      },
      imports: `import { a } from "p";`,
      expression: "a",
      value: 1,
    },
    {
      title: "names that are made while it runs",
      files: { "index.js": "for (const k of ['a', 'b']) exports[k] = k;" },
      imports: `import { a } from "p";`,
      expression: "a",
      value: "a",
      names: ["a"],
    },
    {
      title: "JSON",
      files: { "index.js": "module.exports = require('./data.json');", "data.json": `{ "a": [1] }` },
      imports: `import p, { a } from "p";`,
      expression: "[a, p]",
      value: [[1], { a: [1] }],
    },
    {
      title: "a builtin",
      files: {
        "index.js":
          "const { join } = require('path'); const E = require('events'); exports.a = [join('a', 'b'), new E() instanceof E];",
      },
      imports: `import { a } from "p";`,
      expression: "a",
      value: ["a/b", true],
    },
    {
      title: "a module that is not there",
      files: { "index.js": "try { require('not-there'); } catch (e) { exports.a = [e.code, e.message]; }" },
      imports: `import { a } from "p";`,
      expression: "a",
      value: ["MODULE_NOT_FOUND", "Cannot find module 'not-there', which index.js of p@1.0.0 asks for"],
    },
    {
      title: "files that need one another",
      files: {
        "index.js": "exports.early = 1; exports.b = require('./b').b;",
        "b.js": "const i = require('./index'); exports.b = () => i.early;",
      },
      imports: `import { b } from "p";`,
      expression: "b()",
      value: 1,
    },
    {
      title: "names of Node that are its own",
      files: { "index.js": "const global = 5; exports.a = global;" },
      imports: `import { a } from "p";`,
      expression: "a",
      value: 5,
    },
    {
      title: "a default of a compiler",
      files: { "index.js": COMPILED },
      imports: `import p, { named } from "p";`,
      expression: "[p, named]",
      value: ["the default", 1],
    },
    {
      title: "a default of a compiler in an app for Node",
      type: "module",
      files: { "index.js": COMPILED },
      imports: `import p from "p";`,
      expression: "p",
      value: { default: "the default", named: 1 },
    },
  ])("is imported: $title", async ({ files, imports, expression, value, type, names = [] }) => {
    const dependencies = await bring([made("p", files)], ["p"], {
      names: new Map([["p", names]]),
      ...(type ? { type } : {}),
    });
    expect(await valueOf(imports, expression, dependencies)).toEqual(value);
  });
});

describe("an ES module of a package", () => {
  const type = { type: "module" };

  it.each<{ title: string; files: Files; imports: string; expression: string; value: unknown }>([
    {
      title: "names that change",
      files: {
        "index.js": "export let n = 0; export const add = () => { n += 1; }; export { n as same } from './same.js';",
        "same.js": "import { n, add } from './index.js'; export const up = () => { add(); return n; }; export { n };",
      },
      imports: `import { add } from "p"; import * as p from "p/same.js";`,
      expression: "[p.up(), p.up()]",
      value: [1, 2],
    },
    {
      title: "stars",
      files: {
        "index.js": "export * from './a.js'; export * as b from './b.js'; export { default } from './b.js';",
        "a.js": "export const a = 1; export default 9;",
        "b.js": "export default 2; export const x = 3;",
      },
      imports: `import d, { a, b } from "p";`,
      expression: "[d, a, b.x, b.default]",
      value: [2, 1, 3, 2],
    },
    {
      title: "functions before they are reached",
      files: {
        "index.js":
          "import { later } from './a.js'; export function first() { return later; } export const value = later();",
        "a.js": "import { first } from './index.js'; export function later() { return typeof first; }",
      },
      imports: `import { value } from "p";`,
      expression: "value",
      value: "function",
    },
    {
      title: "import()",
      files: { "index.js": "export const a = async () => (await import('./b.js')).b;", "b.js": "export const b = 4;" },
      imports: `import { a } from "p";`,
      expression: "a()",
      value: 4,
    },
    {
      title: "its own names where CommonJS has others",
      files: {
        "index.js":
          "const module = 1, exports = 2, require = 3, __filename = 4; export const a = { module, exports, require, __filename }; export { require as b };",
      },
      imports: `import { a, b } from "p";`,
      expression: "[a, b]",
      value: [{ module: 1, exports: 2, require: 3, __filename: 4 }, 3],
    },
    {
      title: "a builtin",
      files: {
        "index.js":
          "import assert from 'node:assert'; import { join } from 'path'; import * as u from 'util'; export const a = [typeof assert, join('a', 'b'), typeof u.inspect];",
      },
      imports: `import { a } from "p";`,
      expression: "a",
      value: ["function", "a/b", "function"],
    },
    {
      title: "JSON",
      files: {
        "index.js": "import data from './d.json' with { type: 'json' }; export default data.x;",
        "d.json": `{ "x": 1 }`,
      },
      imports: `import p from "p";`,
      expression: "p",
      value: 1,
    },
    {
      title: "CommonJS",
      files: {
        "index.js":
          "import c, { x } from './c.cjs'; import * as all from './c.cjs'; export default [c.x, x, all.x, all.default.x];",
        "c.cjs": "exports.x = 1;",
      },
      imports: `import p from "p";`,
      expression: "p",
      value: [1, 1, 1, 1],
    },
    {
      title: "a text and bytes",
      files: {
        "index.js": "import text from './a.txt'; import bytes from './a.bin'; export default [text, bytes.byteLength];",
        "a.txt": "hello",
        "a.bin": new Uint8Array(3),
      },
      imports: `import p from "p";`,
      expression: "p",
      value: ["hello", 3],
    },
    {
      title: "the mode",
      files: { "index.js": "export default [process.env.NODE_ENV, 'process.env.NODE_ENV'];" },
      imports: `import p from "p";`,
      expression: "p",
      value: ["development", "process.env.NODE_ENV"],
    },
    {
      title: "TypeScript",
      files: {
        "index.ts":
          "import { b } from './b.js'; import type { T } from './t.ts'; const a: T = b as T; export default a;",
        "b.ts": "export const b: number = 1;",
        "package.json": "",
      },
      imports: `import p from "p/index.ts";`,
      expression: "p",
      value: 1,
    },
  ])("is imported: $title", async ({ files, imports, expression, value }) => {
    const { "package.json": _, ...rest } = files;
    const specifiers = [...imports.matchAll(/from "(.*?)"/g)].map((match) => match[1] ?? "");
    const dependencies = await bring([made("p", rest, type)], [...new Set(specifiers)]);
    expect(await valueOf(imports, expression, dependencies)).toEqual(value);
  });

  it("can have WebAssembly", async () => {
    const wasm = Uint8Array.from([
      0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, 6, 1, 4, 0,
      0x41, 42, 11,
    ]);
    const files = {
      "index.js": "import module from './m.wasm'; export const f = () => new WebAssembly.Instance(module).exports.f();",
      "m.wasm": wasm,
    };
    expect(await valueOf(`import { f } from "p";`, "f()", await bring([made("p", files, type)], ["p"]))).toBe(42);
    for (const specifier of ["p/m.wasm", "p/m.wasm?module"]) {
      const dependencies = await bring([made("p", files, type)], [specifier]);
      const expression = "new WebAssembly.Instance(m).exports.f()";
      expect(await valueOf(`import m from "${specifier}";`, expression, dependencies)).toBe(42);
    }
  });
});

describe("packages", () => {
  it("that several need exist once", async () => {
    const shared = made("shared", { "index.js": "exports.list = [];" });
    const one = made(
      "one",
      { "index.js": "import { list } from 'shared'; list.push('one');" },
      { dependencies: { shared: "1" }, type: "module" },
    );
    const two = made(
      "two",
      { "index.js": "require('shared').list.push('two');" },
      { peerDependencies: { shared: "1" } },
    );
    const dependencies = await bring([shared, one, two], ["one", "two", "shared"]);
    expect(await valueOf(`import "one"; import "two"; import { list } from "shared";`, "list", dependencies)).toEqual([
      "one",
      "two",
    ]);
  });

  it("may need one another", async () => {
    const a = made(
      "a",
      { "index.js": "import { b } from 'b'; export const a = () => 'a' + b();" },
      { dependencies: { b: "1" }, type: "module" },
    );
    const b = made(
      "b",
      { "index.js": "import { a } from 'a'; export const b = () => typeof a;" },
      { dependencies: { a: "1" }, type: "module" },
    );
    expect(await valueOf(`import { a } from "a";`, "a()", await bring([a, b], ["a"]))).toBe("afunction");
  });

  it.each<{ title: string; fields: Readonly<Record<string, unknown>>; from?: string; value: string }>([
    { title: "workerd", fields: { exports: { workerd: "./a.js", browser: "./b.js", default: "./c.js" } }, value: "a" },
    { title: "the order of the manifest", fields: { exports: { browser: "./b.js", workerd: "./a.js" } }, value: "b" },
    { title: "import", fields: { exports: { require: "./a.js", import: "./b.js" } }, value: "b" },
    {
      title: "nested conditions",
      fields: { exports: { ".": { node: "./a.js", worker: { import: "./b.js" } } } },
      value: "b",
    },
    { title: "a pattern", fields: { exports: { "./*": "./*.js" } }, from: "p/c", value: "c" },
    { title: "main", fields: { main: "a" }, value: "a" },
    { title: "module before main", fields: { main: "a.js", module: "b.js" }, value: "b" },
    { title: "the browser field", fields: { main: "a.js", browser: "c.js" }, value: "c" },
    { title: "a file in place of another one", fields: { main: "a.js", browser: { "./a.js": "./b.js" } }, value: "b" },
    {
      title: "imports of its own",
      fields: { exports: "./own.js", imports: { "#x": { workerd: "./c.js" } } },
      value: "c",
    },
    { title: "its own name", fields: { exports: { ".": "./self.js", "./c": "./c.js" } }, value: "c" },
  ])("are entered by $title", async ({ fields, from = "p", value }) => {
    const letters = Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.js`, `export default "${name}";`]));
    const files = {
      ...letters,
      "own.js": `export { default } from "#x";`,
      "self.js": `export { default } from "p/c";`,
    };
    const dependencies = await bring([made("p", files, { type: "module", ...fields })], [from]);
    expect(await valueOf(`import p from "${from}";`, "p", dependencies)).toBe(value);
  });

  it("may have any names for their files and exports", async () => {
    const names = ["__proto__", "constructor", "toString", "a b", "it's"];
    const files = Object.fromEntries([
      ["index.js", names.map((name, at) => `exports.v${at} = require(${JSON.stringify(`./${name}`)});`).join("\n")],
      ...names.map((name) => [
        name,
        `require("./index"); require("./__proto__"); module.exports = ${JSON.stringify(name)};`,
      ]),
    ]) as Files;
    const dependencies = await bring([made("p", files)], ["p"]);
    expect(await valueOf(`import * as p from "p";`, "[p.v0, p.v1, p.v2, p.v3, p.v4]", dependencies)).toEqual(names);
  });

  it("throw where they are used when a file of theirs is no JavaScript, and the rest works", async () => {
    const files = { "index.js": "exports.a = 1; exports.b = () => require('./broken');", "broken.js": "with (x) {}" };
    const dependencies = await bring([made("p", files)], ["p"]);
    const expression = "(() => { try { b(); } catch (e) { return [a, e.name, e.message]; } })()";
    const message = "broken.js is no JavaScript for a module: 'with' in strict mode (1:0)";
    expect(await valueOf(`import { a, b } from "p";`, expression, dependencies)).toEqual([1, "SyntaxError", message]);
    const { problems } = await bring([made("p", files)], ["p/broken"]);
    expect(problems).toEqual([{ message: `p@1.0.0: ${message}.` }]);
  });
});
