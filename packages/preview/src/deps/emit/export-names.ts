import type { Gathered } from "../gather.ts";
import type { FileReference } from "../link/file-reference.ts";

/** The names that can be imported from a file, with those of the files that it passes on. */
export function exportNames(gathered: Gathered, file: FileReference): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const open: FileReference[] = [file];
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, path } = next;
    const key = `${id} ${path}`;
    const linked = gathered.packages.get(id)?.unit.files[path];
    if (!linked || seen.has(key)) continue;
    for (const name of linked.names) if (name !== "default" || seen.size === 0) names.add(name);
    seen.add(key);
    for (const specifier of linked.stars) {
      const target = linked.targets[specifier];
      if (target?.to === "file") open.push({ id, path: target.path });
      const other = target?.to === "package" ? gathered.follow(id, target.specifier, target.kind) : undefined;
      if (other) open.push(other);
    }
  }
  return names;
}
