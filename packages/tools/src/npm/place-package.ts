import semver from "semver";
import type { PublishedManifest } from "./manifest.ts";
import { neededOnlyBy } from "./needed-only-by.ts";
import { needsNpm } from "./npm-refusal.ts";
import { satisfies } from "./npm-spec.ts";
import { type Edge, isPeer, isSatisfied, PackageNode, type PackageTree, targetOf } from "./package-tree.ts";

type Fit = "conflict" | "free" | "replace" | "keep";

/** A package that one asked for, and how. */
export interface Placement {
  readonly edge: Edge;
  readonly manifest: PublishedManifest;
  /** Named on the command line: what is there is looked up anew. */
  readonly isExplicit: boolean;
}

/**
 * Puts a package as near to the project as it can be without taking from another one what that depends on, as npm does; a
 * node, or undefined where one that is there will do. Throws `NpmRefusal` where its peers contradict each other.
 */
export function placePackage(tree: PackageTree, placement: Placement): PackageNode | undefined {
  const { edge, manifest } = placement;
  let best: { target: PackageNode; fit: Fit } | undefined;
  const start = isPeer(edge) ? (edge.from.parent ?? edge.from) : edge.from;
  for (const target of start.ancestry()) {
    if (target.parent && hasPeer(target, edge.name)) continue;
    const fit = fitOf(tree, placement, target);
    if (fit === "conflict") break;
    best = { target, fit };
  }
  if (!best) throw peerConflict(edge, manifest);
  if (best.fit === "keep") return undefined;
  const node = new PackageNode(edge.name, manifest);
  const old = best.target.children.get(edge.name);
  const left = old ? Array.from(old.edges.values()).filter(({ name }) => !node.edges.has(name)) : [];
  const orphans = left.flatMap((each) => targetOf(each) ?? []);
  tree.add(node, best.target);
  if (old) dropLeft(tree, node, orphans);
  dropDuplicates(tree, node, best.target);
  return node;
}

/** What the package before it had for itself, and what does not fit the new one, so that it is looked up anew. */
function dropLeft(tree: PackageTree, node: PackageNode, orphans: readonly PackageNode[]): void {
  const unfit = Array.from(node.edges.values()).filter((edge) => !isSatisfied(edge));
  const first = [
    ...unfit.flatMap((edge) => targetOf(edge) ?? []),
    ...orphans.flatMap((orphan) => [...neededOnlyBy(tree, [orphan], (edge, to) => to !== orphan && isSatisfied(edge))]),
  ];
  const isOther = (edge: Edge, to: PackageNode): boolean => edge.from !== node && to !== node && isSatisfied(edge);
  for (const each of neededOnlyBy(tree, first, isOther)) tree.remove(each);
}

function hasPeer(node: PackageNode, name: string): boolean {
  const edge = node.edges.get(name);
  return edge !== undefined && isPeer(edge);
}

function fitOf(tree: PackageTree, placement: Placement, target: PackageNode): Fit {
  const { edge, manifest } = placement;
  const current = target.children.get(edge.name);
  if (current) return fitBesideCurrent(tree, placement, target, current);
  const own = target.edges.get(edge.name);
  if (own && own !== edge && !satisfies(manifest.version, own.spec)) return "conflict";
  // Packages in the target would find this one in place of what they find now.
  const shadowed = target === edge.from ? undefined : target.resolve(edge.name);
  const isInTheWay =
    shadowed !== undefined &&
    tree
      .edgesTo(shadowed)
      .some((each) => each.from.isBelow(target) && isSatisfied(each) && !satisfies(manifest.version, each.spec));
  return isInTheWay ? "conflict" : unlessPeersConflict("free", placement, target);
}

function fitBesideCurrent(tree: PackageTree, placement: Placement, target: PackageNode, current: PackageNode): Fit {
  const { edge, manifest, isExplicit } = placement;
  const version = current.manifest.version ?? "0.0.0";
  const isWanted = satisfies(version, edge.spec);
  if (version === manifest.version && isWanted) return isExplicit ? "replace" : "keep";
  const isUsable = tree.edgesTo(current).every((each) => !isSatisfied(each) || satisfies(manifest.version, each.spec));
  if (semver.gte(manifest.version, version, true) && isUsable) {
    const fit = unlessPeersConflict("replace", placement, target);
    if (fit !== "conflict") return fit;
  }
  if (isWanted && (!isExplicit || isPeer(edge))) return "keep";
  // What its only asker has there was for that asker alone.
  return target === edge.from && !isPeer(edge) ? unlessPeersConflict("replace", placement, target) : "conflict";
}

function unlessPeersConflict(fit: Fit, { manifest, edge }: Placement, target: PackageNode): Fit {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  for (const [name, spec] of Object.entries(peerDependencies)) {
    if (peerDependenciesMeta[name]?.optional || name === edge.name) continue;
    const there = target.resolve(name);
    if (there && !satisfies(there.manifest.version, spec)) return "conflict";
  }
  return fit;
}

/** Copies further in that the new one can stand for. */
function dropDuplicates(tree: PackageTree, node: PackageNode, target: PackageNode): void {
  const copies = [...target.all()].filter((each) => each.name === node.name && each !== node);
  for (const copy of copies) {
    const above = copy.parent?.parent?.resolve(node.name);
    if (above !== node || copy.parent?.children.get(copy.name) !== copy) continue;
    const [own, other] = [copy.manifest.version ?? "0.0.0", node.manifest.version ?? "0.0.0"];
    const canStandIn = tree.edgesTo(copy).every((each) => satisfies(other, each.spec));
    if (own !== other && !(canStandIn && semver.gte(other, own, true))) continue;
    for (const each of neededOnlyBy(tree, [copy], (edge, to) => to !== copy && isSatisfied(edge))) tree.remove(each);
  }
}

/** The peers of a package that are not there yet, or not as it needs them. */
export function openPeers(node: PackageNode): Edge[] {
  return Array.from(node.edges.values()).filter((edge) => edge.kind === "peer" && !isSatisfied(edge));
}

export function peerConflict(edge: Edge, { version, peerDependencies = {} }: PublishedManifest): Error {
  const peers = Object.entries(peerDependencies).map(([name, spec]) => `${name}@"${spec}"`);
  const there = targetOf(edge);
  const found = there ? `, and ${there.name}@${there.manifest.version} is there` : "";
  const who = edge.from.parent ? `${edge.from.name}@${edge.from.manifest.version}` : "the project";
  const asks = peers.length > 0 ? ` needs ${peers.join(", ")} beside it` : " does not fit";
  return needsNpm(
    `code ERESOLVE\n${edge.name}@${version}, for ${who},${asks}${found}: its peer dependencies contradict what is installed`,
  );
}
