import { expect, test } from "vitest";
import { entryText, isNeeded } from "./entry-text.ts";
import { INSIDE_MODULES } from "./isolate-modules.ts";

const NOTHING = { kv: [], d1: [], r2: [], objects: [], services: [], unsupported: [] };
const OF_R2 = ["adopt-r2.ts", "r2-bucket.ts", "r2-object.ts", "r2-upload.ts", "r2-value.ts"];
const OF_STORAGES = ["adopt-d1.ts", "adopt-kv.ts", "d1-database.ts", "kv-namespace.ts", ...OF_R2];

test.each([
  { bound: {}, storages: [] },
  { bound: { kv: ["A", "B"] }, storages: ["adopt-kv.ts", "kv-namespace.ts"] },
  { bound: { d1: ["A"] }, storages: ["adopt-d1.ts", "d1-database.ts"] },
  {
    bound: { r2: ["A"], d1: ["B"] },
    storages: ["adopt-d1.ts", "d1-database.ts", ...OF_R2],
  },
])("an app with $bound gets what it is bound to, and what all have", ({ bound, storages }) => {
  const bindings = { ...NOTHING, ...bound };
  const names = [...INSIDE_MODULES.keys()];
  const common = names.filter((name) => !OF_STORAGES.includes(name));
  expect(names.filter((name) => isNeeded(name, bindings))).toEqual([...common, ...storages].toSorted());
  const imported = [...entryText("src/index.ts", [], bindings).matchAll(/"\.\/inside\/(.*?)"/g)].map(
    ([, name = ""]) => name,
  );
  expect(imported.toSorted()).toEqual(["main.ts", ...storages.filter((name) => name.startsWith("adopt-"))].toSorted());
});
