import { dependencyFlags } from "./dependency-flags.ts";
import { inStyle, type JsonStyle } from "./json-style.ts";
import { type LockEntry, rootEntry, withFlags } from "./lock-entry.ts";
import type { Manifest } from "./manifest.ts";
import { niceJson } from "./nice-json.ts";
import { needsNpm, npmError } from "./npm-refusal.ts";
import { PackageNode, PackageTree } from "./package-tree.ts";

export const LOCKFILE = "package-lock.json";

const FIRST: readonly string[] = [
  "name",
  "version",
  "lockfileVersion",
  "resolved",
  "integrity",
  "requires",
  "packages",
  "dependencies",
];

export interface Lockfile {
  readonly lockfileVersion?: number;
  readonly packages?: Readonly<Record<string, LockEntry>>;
  readonly [field: string]: unknown;
}

/** Throws `NpmRefusal` for a lockfile that is none, or of a version other than 3. */
export function parseLockfile(text: string): Lockfile {
  let lock: Lockfile;
  try {
    lock = JSON.parse(text) as Lockfile;
  } catch {
    throw npmError(`code EJSONPARSE\n${LOCKFILE} is not valid JSON; repair or delete it`);
  }
  if (lock?.lockfileVersion !== 3 || typeof lock.packages !== "object") {
    throw needsNpm(`${LOCKFILE} is of version ${String(lock?.lockfileVersion)}, and only version 3 is written here`);
  }
  return lock;
}

/** The tree of a project, with what its lockfile has. Throws `NpmRefusal` for one with links in it, such as workspaces. */
export function treeOf(manifest: Manifest, lock: Lockfile | undefined): PackageTree {
  const root = new PackageNode("", manifest, true);
  const tree = new PackageTree(root);
  const nodes = new Map([["", root]]);
  const entries = Object.entries(lock?.packages ?? {}).filter(([location]) => location !== "");
  // Shorter ones first, so that what a package is in is there before it.
  for (const [location, entry] of entries.toSorted(([a], [b]) => depthOf(a) - depthOf(b))) {
    const [, above = "", name = ""] = /^(?:(.*)\/)?node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(location) ?? [];
    if (name === "" || entry["link"] === true) throw needsNpm(`${LOCKFILE} has a linked package, ${location}`);
    if (entry["inBundle"] === true) throw needsNpm(`${LOCKFILE} has a bundled package, ${location}`);
    const parent = nodes.get(above);
    if (!parent) throw npmError(`${LOCKFILE} has ${location}, but not ${above}; delete it, or repair it`);
    const node = new PackageNode(name, entry as Manifest);
    tree.add(node, parent);
    nodes.set(location, node);
  }
  return tree;
}

function depthOf(location: string): number {
  return location.split("/node_modules/").length;
}

export interface LockResult {
  readonly text: string;
  /** Versions by location. */
  readonly versions: ReadonlyMap<string, string>;
}

/**
 * The text of a lockfile for a tree: its packages that are needed, by location. `entryOf` gives what is said of a package
 * apart from its flags.
 */
export function lockText(
  tree: PackageTree,
  manifest: Manifest,
  old: Lockfile | undefined,
  style: JsonStyle,
  entryOf: (node: PackageNode) => LockEntry,
): LockResult {
  const { name = "workspace", version } = manifest;
  const flags = dependencyFlags(tree.root);
  const needed = [...flags].filter(([node]) => node !== tree.root);
  const packages = needed.map(([node, flag]) => [node.location, withFlags(entryOf(node), flag)] as const);
  const { version: _old, ...rest } = old ?? {};
  const lock = {
    ...rest,
    name: manifest.name ?? (typeof old?.["name"] === "string" ? old["name"] : name),
    ...(version === undefined ? {} : { version }),
    lockfileVersion: 3,
    requires: true,
    packages: { "": rootEntry(manifest), ...Object.fromEntries(packages) },
  };
  const versions = new Map(needed.map(([node]) => [node.location, String(node.manifest.version)]));
  return { text: inStyle(niceJson(lock, FIRST, style.indent), style), versions };
}
