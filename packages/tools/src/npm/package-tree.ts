import type { Manifest } from "./manifest.ts";
import { satisfies } from "./npm-spec.ts";

/** A dependency as its dependent states it. */
export interface Edge {
  readonly from: PackageNode;
  readonly name: string;
  readonly spec: string;
  readonly kind: "prod" | "dev" | "optional" | "peer" | "peerOptional";
}

export function isPeer({ kind }: Edge): boolean {
  return kind === "peer" || kind === "peerOptional";
}

/** A package at its place: the project itself, or one in a `node_modules`. */
export class PackageNode {
  readonly name: string;
  readonly manifest: Manifest;
  readonly children: Map<string, PackageNode> = new Map<string, PackageNode>();
  parent: PackageNode | undefined;
  /** By name. */
  readonly edges: ReadonlyMap<string, Edge>;

  /** `isRoot` for the project, whose development dependencies count. */
  constructor(name: string, manifest: Manifest, isRoot = false) {
    this.name = name;
    this.manifest = manifest;
    this.edges = edgesOf(this, manifest, isRoot);
  }

  /** As in a lockfile: `node_modules/a/node_modules/b`, empty for the project. */
  get location(): string {
    if (!this.parent) return "";
    const above = this.parent.location;
    return `${above === "" ? "" : `${above}/`}node_modules/${this.name}`;
  }

  get depth(): number {
    return this.parent ? this.parent.depth + 1 : 0;
  }

  /** Itself, then what it is in, up to the project. */
  *ancestry(): Generator<PackageNode> {
    yield this;
    if (this.parent) yield* this.parent.ancestry();
  }

  /** What a package of this name is to the code in this one. */
  resolve(name: string): PackageNode | undefined {
    for (const node of this.ancestry()) {
      const child = node.children.get(name);
      if (child) return child;
    }
    return undefined;
  }

  isBelow(other: PackageNode): boolean {
    for (const node of this.ancestry()) if (node === other) return true;
    return false;
  }

  /** Itself and all that is in it. */
  *all(): Generator<PackageNode> {
    yield this;
    for (const child of this.children.values()) yield* child.all();
  }
}

function edgesOf(from: PackageNode, manifest: Manifest, isRoot: boolean): Map<string, Edge> {
  const edges = new Map<string, Edge>();
  const { peerDependencies = {}, peerDependenciesMeta = {}, dependencies = {}, optionalDependencies = {} } = manifest;
  for (const [name, spec] of Object.entries(peerDependencies)) {
    edges.set(name, { from, name, spec, kind: peerDependenciesMeta[name]?.optional ? "peerOptional" : "peer" });
  }
  const add = (list: Readonly<Record<string, string>>, kind: Edge["kind"]): void => {
    for (const [name, spec] of Object.entries(list)) edges.set(name, { from, name, spec, kind });
  };
  if (isRoot) add(manifest.devDependencies ?? {}, "dev");
  add(dependencies, "prod");
  add(optionalDependencies, "optional");
  return edges;
}

/** What an edge leads to. A peer is beside its dependent, never in it. */
export function targetOf({ from, name, kind }: Edge): PackageNode | undefined {
  const isBeside = from.parent && (kind === "peer" || kind === "peerOptional");
  return (isBeside ? from.parent : from)?.resolve(name);
}

export function isSatisfied(edge: Edge): boolean {
  const target = targetOf(edge);
  return target !== undefined && satisfies(target.manifest.version, edge.spec);
}

/** A project with all packages at their places. */
export class PackageTree {
  readonly root: PackageNode;
  /** Who depends on a name. */
  readonly #dependents = new Map<string, Set<PackageNode>>();

  constructor(root: PackageNode) {
    this.root = root;
    this.#know(root);
  }

  /** Puts a package into another one, in the place of one of the same name: what is in that one is then in this one. */
  add(node: PackageNode, parent: PackageNode): void {
    const old = parent.children.get(node.name);
    if (old) {
      this.#forget(old);
      for (const [name, child] of old.children) {
        child.parent = node;
        node.children.set(name, child);
      }
    }
    node.parent = parent;
    parent.children.set(node.name, node);
    this.#know(node);
  }

  /** Takes out a package and all that is in it. */
  remove(node: PackageNode): void {
    for (const each of node.all()) this.#forget(each);
    if (node.parent?.children.get(node.name) === node) node.parent.children.delete(node.name);
  }

  /** The edges of a name that lead to this package. */
  edgesTo(node: PackageNode): Edge[] {
    return this.edgesOf(node.name).filter((edge) => targetOf(edge) === node);
  }

  /** All edges of a name. */
  edgesOf(name: string): Edge[] {
    return Array.from(this.#dependents.get(name) ?? []).flatMap((dependent) => dependent.edges.get(name) ?? []);
  }

  #forget(node: PackageNode): void {
    for (const name of node.edges.keys()) this.#dependents.get(name)?.delete(node);
  }

  #know(node: PackageNode): void {
    for (const name of node.edges.keys()) {
      const known = this.#dependents.get(name) ?? new Set();
      this.#dependents.set(name, known.add(node));
    }
  }
}
