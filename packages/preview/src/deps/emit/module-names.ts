import type { Gathered, GatheredPackage } from "../gather.ts";
import { hashOf } from "../link/link-package.ts";

/**
 * The name of the module of each package, by its id. It has a hash of the package and of all that it needs, so that it
 * differs when any of that does.
 */
export async function moduleNames(gathered: Gathered): Promise<ReadonlyMap<string, string>> {
  const own = new Map<string, { readonly hash: string; readonly needs: ReadonlySet<string> }>();
  for (const [id, one] of gathered.packages) {
    const { text, needs } = describe(gathered, id, one);
    own.set(id, { hash: await hashOf(text), needs });
  }
  const names = new Map<string, string>();
  for (const [id, { version }] of gathered.packages) {
    const all = new Set([id]);
    for (const one of all) for (const need of own.get(one)?.needs ?? []) all.add(need);
    const hashes = [...all].map((one) => own.get(one)?.hash ?? "");
    // Its own first: what needs one another differs in that alone.
    const hash = await hashOf([own.get(id)?.hash, ...hashes.toSorted()].join("\n"));
    names.set(id, `node_modules/${version.name}@${version.version}-${hash}.js`);
  }
  return names;
}

function describe(
  gathered: Gathered,
  id: string,
  { version, unit, used }: GatheredPackage,
): { readonly text: string; readonly needs: ReadonlySet<string> } {
  const needs = new Set<string>();
  const lines = [...used].toSorted().map((path) => {
    const file = unit.files[path];
    const others = Object.values(file?.targets ?? {}).map((target) => {
      const other = target.to === "package" ? gathered.follow(id, target.specifier, target.kind) : undefined;
      if (other) needs.add(other.id);
      const package_ = other && gathered.packages.get(other.id)?.version;
      return package_ ? [package_.name, package_.version, package_.integrity, other.path] : [];
    });
    return [path, file?.hash, others];
  });
  return { text: JSON.stringify([version.name, version.version, lines]), needs };
}
