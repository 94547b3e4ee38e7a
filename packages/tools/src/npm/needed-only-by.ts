import { type Edge, type PackageNode, type PackageTree, targetOf } from "./package-tree.ts";

/** These packages and what they depend on, as far as nothing else depends on it by an edge that counts. */
export function neededOnlyBy(
  tree: PackageTree,
  first: Iterable<PackageNode>,
  counts: (edge: Edge, target: PackageNode) => boolean,
): Set<PackageNode> {
  const nodes = new Set(first);
  for (const node of nodes) {
    for (const edge of node.edges.values()) {
      const target = targetOf(edge);
      if (target && counts(edge, target)) nodes.add(target);
    }
  }
  const isNeeded = (node: PackageNode): boolean =>
    tree.edgesTo(node).some((edge) => !nodes.has(edge.from) && counts(edge, node));
  for (let isChanged = true; isChanged;) {
    const needed = [...nodes].filter(isNeeded);
    for (const node of needed) nodes.delete(node);
    isChanged = needed.length > 0;
  }
  return nodes;
}
