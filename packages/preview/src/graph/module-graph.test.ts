import { memoryFileSystem } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { ModuleGraph } from "./module-graph.ts";
import type { SourceModule } from "./source-module.ts";
import { TreeView } from "./tree-view.ts";

const MANY = 100;

function scriptOf(specifiers: readonly string[]): SourceModule {
  const sites = specifiers.map((specifier) => ({ specifier, start: 0, end: 0, quoted: false, names: [] }));
  return { kind: "script", hash: "", script: { code: "", format: "esm", sites } };
}

/** A graph whose entry imports many modules, and what was read of them. */
function wideGraph(): { trace: (signal: AbortSignal) => ReturnType<ModuleGraph["trace"]>; read: string[] } {
  const read: string[] = [];
  const graph = new ModuleGraph({
    read: async (_, path) => {
      read.push(path);
      return scriptOf(path === "/main.ts" ? Array.from({ length: MANY }, (__, at) => `/m${at}.ts`) : []);
    },
    resolve: async (_, specifier) => ({ kind: "file", path: specifier }),
  });
  const context = {
    view: new TreeView(memoryFileSystem()),
    root: "/",
    tsconfig: { paths: [], files: [], jsx: { runtime: "classic" }, legacyDecorators: false },
    alias: {},
    imports: {},
  } as const;
  return { trace: (signal) => graph.trace(["/main.ts"], context, signal), read };
}

test("others have their turn while many modules are read, and can end it", async () => {
  const { trace, read } = wideGraph();
  const ending = new AbortController();
  setTimeout(() => ending.abort(new Error("enough")), 0);
  await expect(trace(ending.signal)).rejects.toThrow("enough");
  expect(read.length).toBeLessThan(MANY);
});

test("what was read is not read again, also after it was given up", async () => {
  const { trace, read } = wideGraph();
  await trace(AbortSignal.abort()).catch(() => undefined);
  const { modules } = await trace(new AbortController().signal);
  expect(modules.size).toBe(MANY + 1);
  expect(await trace(new AbortController().signal)).toEqual({ modules, packages: [], problems: [] });
  expect(read.length).toBe(MANY + 1);
});
