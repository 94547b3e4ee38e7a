import { type Edge, type PackageNode, targetOf } from "./package-tree.ts";

/** Why a package is there, as a lockfile says it. */
export interface DependencyFlags {
  readonly dev?: true;
  readonly optional?: true;
  /** For development by one way, optional by another. */
  readonly devOptional?: true;
  readonly peer?: true;
}

const isDev = ({ kind }: Edge): boolean => kind === "dev";
const isOptional = ({ kind }: Edge): boolean => kind === "optional" || kind === "peerOptional";
const isPeerEdge = ({ kind }: Edge): boolean => kind === "peer" || kind === "peerOptional";

/** The flags of each package that the project needs; those that are missing, nobody needs. */
export function dependencyFlags(root: PackageNode): Map<PackageNode, DependencyFlags> {
  const needed = reach(root, (edge) => edge.kind === "peerOptional");
  const always = { dev: reach(root, isDev), optional: reach(root, isOptional), peer: reach(root, isPeerEdge) };
  const plain = reach(root, (edge) => isDev(edge) || isOptional(edge));
  const flags = new Map<PackageNode, DependencyFlags>();
  for (const node of needed) {
    const isOnly = (kind: keyof typeof always): boolean => !always[kind].has(node);
    const isBoth = !plain.has(node) && !isOnly("dev") && !isOnly("optional");
    flags.set(node, {
      ...(isOnly("dev") ? { dev: true } : {}),
      ...(isOnly("optional") ? { optional: true } : {}),
      ...(isBoth ? { devOptional: true } : {}),
      ...(isOnly("peer") ? { peer: true } : {}),
    });
  }
  return flags;
}

/** What can be reached without the edges that are left out. */
function reach(root: PackageNode, isLeftOut: (edge: Edge) => boolean): Set<PackageNode> {
  const seen = new Set([root]);
  for (const node of seen) {
    for (const edge of node.edges.values()) {
      const target = isLeftOut(edge) ? undefined : targetOf(edge);
      if (target) seen.add(target);
    }
  }
  return seen;
}
