import type { Graph } from "./module-graph.ts";

/** What is imported by name from each package, sorted. */
export function importedNames(modules: Graph["modules"]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { packages } of modules.values()) {
    for (const { specifier, names } of packages) {
      const all = found.get(specifier) ?? new Set();
      found.set(specifier, all);
      for (const name of names) all.add(name);
    }
  }
  return new Map(
    [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, names]) => [key, [...names].toSorted()]),
  );
}
