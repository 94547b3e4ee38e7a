import type { PublishedManifest } from "./manifest.ts";
import { needsNpm, NpmRefusal } from "./npm-refusal.ts";
import { parseSpec, satisfies } from "./npm-spec.ts";
import { type Edge, isSatisfied, type PackageNode, type PackageTree, targetOf } from "./package-tree.ts";
import { openPeers, peerConflict, placePackage } from "./place-package.ts";
import type { Registry } from "./registry.ts";

/** More is for a machine with a disk. */
const MAX_PACKAGES = 600;

/**
 * Completes a tree: whatever is missing, does not fit or is named in `explicit` is looked up in the registry and put in its
 * place, nearest to the project first. Gives the packages that are new. Throws `NpmRefusal`.
 */
export async function buildTree(
  tree: PackageTree,
  registry: Registry,
  explicit: ReadonlySet<string>,
): Promise<PackageNode[]> {
  const builder = new TreeBuilder(tree, registry, explicit);
  await builder.run();
  return [...builder.placed].filter((node) => node.parent?.children.get(node.name) === node);
}

class TreeBuilder {
  readonly placed: Set<PackageNode> = new Set<PackageNode>();
  readonly #tree: PackageTree;
  readonly #registry: Registry;
  readonly #explicit: Set<Edge>;
  readonly #queue: Set<PackageNode>;
  /** Optional ones that could not be had. */
  readonly #failed = new Set<Edge>();

  constructor(tree: PackageTree, registry: Registry, explicit: ReadonlySet<string>) {
    this.#tree = tree;
    this.#registry = registry;
    this.#explicit = new Set([...tree.root.edges.values()].filter(({ name }) => explicit.has(name)));
    this.#queue = new Set([tree.root]);
  }

  async run(): Promise<void> {
    for (let node = this.#next(); node; node = this.#next()) {
      if (!isInTree(node, this.#tree)) continue;
      const problems = [...node.edges.values()]
        .filter((edge) => this.#isProblem(edge))
        .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
      // Asked for together, put in place one after another.
      const found = await Promise.all(problems.map((edge) => this.#find(edge, edge.spec)));
      for (const [at, edge] of problems.entries()) {
        const manifest = found[at];
        const isExplicit = this.#explicit.delete(edge);
        if (manifest && (isExplicit || !isSatisfied(edge))) await this.#place(edge, manifest, isExplicit);
      }
    }
  }

  #next(): PackageNode | undefined {
    const [first] = [...this.#queue].toSorted(
      (a, b) => a.depth - b.depth || a.location.localeCompare(b.location, "en"),
    );
    if (first) this.#queue.delete(first);
    return first;
  }

  #isProblem(edge: Edge): boolean {
    if (this.#failed.has(edge)) return false;
    if (this.#explicit.has(edge)) return true;
    if (edge.kind === "peerOptional" && !targetOf(edge)) return false;
    return !isSatisfied(edge);
  }

  async #find(edge: Edge, text: string): Promise<PublishedManifest | undefined> {
    const spec = parseSpec(text);
    try {
      if (spec.type === "other") throw needsNpm(`${edge.name}@${text} does not come from a registry`);
      const manifest = await this.#registry.pick(edge.name, spec);
      if (manifest.bundleDependencies !== undefined && manifest.bundleDependencies !== false)
        throw needsNpm(`${edge.name}@${manifest.version} brings packages in itself (bundleDependencies)`);
      return manifest;
    } catch (error) {
      if (!(error instanceof NpmRefusal) || edge.kind !== "optional") throw error;
      this.#failed.add(edge);
      return undefined;
    }
  }

  async #place(edge: Edge, manifest: PublishedManifest, isExplicit: boolean): Promise<void> {
    const node = placePackage(this.#tree, { edge, manifest, isExplicit });
    if (!node) return;
    this.placed.add(node);
    if (this.placed.size > MAX_PACKAGES) throw needsNpm(`more than ${MAX_PACKAGES} packages would be new`);
    this.#queue.add(node);
    for (const peer of openPeers(node)) await this.#placePeer(peer, node);
    for (const each of this.#tree.edgesOf(node.name)) {
      if (targetOf(each) && !isSatisfied(each)) this.#queue.add(each.from);
    }
  }

  /** As the project asks for it where it does, since it is the project's copy that is beside the package. */
  async #placePeer(peer: Edge, node: PackageNode): Promise<void> {
    if (isSatisfied(peer)) return;
    const own = node.parent?.edges.get(peer.name);
    const manifest = await this.#find(peer, own && own.kind !== "peerOptional" ? own.spec : peer.spec);
    if (!manifest) return;
    if (!satisfies(manifest.version, peer.spec)) throw peerConflict(peer, manifest);
    await this.#place(peer, manifest, false);
  }
}

function isInTree(node: PackageNode, tree: PackageTree): boolean {
  for (const each of node.ancestry()) {
    if (each === tree.root) return true;
    if (each.parent?.children.get(each.name) !== each) return false;
  }
  return false;
}
