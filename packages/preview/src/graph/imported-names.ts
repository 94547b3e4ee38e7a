import type { Graph } from "./module-graph.ts";

/** What is imported by name from each package, sorted. */
export function importedNames(modules: Graph["modules"]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { source, targets } of modules.values()) {
    if (source.kind !== "script") continue;
    for (const [index, target] of targets.entries()) {
      if (target.kind !== "package") continue;
      const names = found.get(target.specifier) ?? new Set();
      found.set(target.specifier, names);
      for (const name of source.script.sites[index]?.names ?? []) names.add(name);
    }
  }
  return new Map(
    [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, names]) => [key, [...names].toSorted()]),
  );
}
