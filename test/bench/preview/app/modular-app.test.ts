import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { modularApp } from "./modular-app.ts";

test.each([10, 30, 300])("an app of %d modules has as many, and all of its imports are there", (modules) => {
  const { files } = modularApp(modules);
  const scripts = files.filter(({ path }) => path.endsWith(".ts"));
  expect(scripts).toHaveLength(modules);
  const paths = new Set(scripts.map(({ path }) => path));
  const reached = new Set(["src/index.ts"]);
  for (const from of reached) {
    const { module, errors } = parseSync(from, scripts.find(({ path }) => path === from)?.text ?? "");
    expect(errors).toEqual([]);
    for (const { moduleRequest } of module.staticImports) {
      const path = new URL(`${moduleRequest.value}.ts`, `file:///${from}`).pathname.slice(1);
      expect(paths).toContain(path);
      reached.add(path);
    }
  }
  expect(reached).toEqual(paths);
});

test("an edit changes one text of one file", () => {
  const { files, edited, mark } = modularApp(30);
  const before = files.find(({ path }) => path === edited(7).path)?.text ?? "";
  expect(edited(0).text).toBe(before);
  expect(edited(7).text).not.toBe(before);
  expect(edited(7).text.replace("round 7", "round 0")).toBe(before);
  expect(mark(7)).toBe('"revision":"round 7"');
});

test("an app has only so many modules as features make", () => {
  expect(() => modularApp(31)).toThrow("no app has 31 modules");
});
