import { expect, test } from "vitest";
import { entryText, isNeeded } from "./entry-text.ts";
import { INSIDE_MODULES } from "./isolate-modules.ts";

const NOTHING = { kv: [], d1: [], r2: [], objects: [], services: [], unsupported: [] };
const D1 = ["adopt-d1.ts", "d1-database.ts"];
const KV = ["adopt-kv.ts", "kv-namespace.ts"];
const R2 = ["adopt-r2.ts", "r2-bucket.ts", "r2-object.ts", "r2-upload.ts", "r2-value.ts"];

test.each([
  { bound: {}, storages: [] },
  { bound: { kv: ["A", "B"] }, storages: KV },
  { bound: { d1: ["A"] }, storages: D1 },
  { bound: { r2: ["A"], d1: ["B"] }, storages: [...D1, ...R2] },
])("an app with $bound gets what it is bound to, and what all have", ({ bound, storages }) => {
  const bindings = { ...NOTHING, ...bound };
  const names = [...INSIDE_MODULES.keys()];
  const common = names.filter((name) => ![...D1, ...KV, ...R2].includes(name));
  expect(names.filter((name) => isNeeded(name, bindings))).toEqual([...common, ...storages].toSorted());
  const imported = [...entryText("src/index.ts", [], bindings).matchAll(/"\.\/inside\/(.*?)"/g)].map(
    ([, name = ""]) => name,
  );
  expect(imported.toSorted()).toEqual(["main.ts", ...storages.filter((name) => name.startsWith("adopt-"))].toSorted());
});
