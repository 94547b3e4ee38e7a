import { buildTree } from "./build-tree.ts";
import { jsonStyle } from "./json-style.ts";
import { type LockEntry, publishedEntry } from "./lock-entry.ts";
import { lockText, parseLockfile, treeOf } from "./lockfile.ts";
import type { Manifest, PublishedManifest } from "./manifest.ts";
import type { NpmSpec } from "./npm-spec.ts";
import type { PackageNode } from "./package-tree.ts";
import {
  manifestText,
  parseManifest,
  savedRange,
  type Section,
  withDependency,
  withoutDependency,
} from "./project-manifest.ts";
import type { Registry } from "./registry.ts";

/** What is to be changed, such as by `npm install a b` or `npm uninstall a`. */
export interface PackageChange {
  readonly add: readonly { readonly name: string; readonly spec: NpmSpec }[];
  readonly remove: readonly string[];
  /** Default: where it is already, else `dependencies`. */
  readonly section?: Section;
  /** In front of the version that is saved. */
  readonly prefix: "^" | "";
}

/** The two files of a project; a missing one is undefined. */
export interface ProjectFiles {
  readonly manifest: string | undefined;
  readonly lock: string | undefined;
}

export interface ChangedPackages {
  readonly manifest: string;
  readonly lock: string;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** New packages, `name@version`, that run a script when they are installed. */
  readonly withScripts: readonly string[];
  /** New packages that should not be used any more, and why. */
  readonly deprecated: readonly string[];
}

/**
 * Changes the dependencies of a project as npm does with `--package-lock-only`: both files in their layout, the lockfile
 * complete for the whole tree. Changes nothing itself. Throws `NpmRefusal`.
 */
export async function changePackages(
  files: ProjectFiles,
  change: PackageChange,
  registry: Registry,
): Promise<ChangedPackages> {
  const before = parseManifest(files.manifest);
  const old = files.lock === undefined ? undefined : parseLockfile(files.lock);
  const wanted = change.add.reduce(
    (manifest, { name, spec }) => withDependency(manifest, change.section, name, spec.text),
    change.remove.reduce((manifest, name) => withoutDependency(manifest, name), before),
  );
  const tree = treeOf(wanted, old);
  const placed = await buildTree(tree, registry, new Set(change.add.map(({ name }) => name)));
  const after = change.add.reduce((manifest: Manifest, { name, spec }) => {
    const { version = "" } = tree.root.children.get(name)?.manifest ?? {};
    return withDependency(manifest, change.section, name, savedRange(spec, version, change.prefix));
  }, wanted);
  const entries = await entriesOf(placed, registry);
  const entryOf = (node: PackageNode): LockEntry => entries.get(node) ?? (node.manifest as LockEntry);
  const { text, versions } = lockText(tree, after, old, jsonStyle(files.lock ?? files.manifest ?? ""), entryOf);
  const oldVersions = new Map(
    Object.entries(old?.packages ?? {}).flatMap(([location, { version }]) =>
      location === "" ? [] : [[location, String(version)] as const],
    ),
  );
  const kept = [...versions].filter(([location]) => oldVersions.has(location));
  const isKept = ({ location }: PackageNode): boolean => versions.has(location);
  const told = placed.filter(isKept);
  return {
    manifest: manifestText(after, files.manifest),
    lock: text,
    added: versions.size - kept.length,
    removed: oldVersions.size - kept.length,
    changed: kept.filter(([location, version]) => oldVersions.get(location) !== version).length,
    withScripts: told.filter((node) => entries.get(node)?.["hasInstallScript"] === true).map(idOf),
    deprecated: told.flatMap((node) =>
      node.manifest.deprecated ? [`${idOf(node)}: ${node.manifest.deprecated}`] : [],
    ),
  };
}

function idOf({ name, manifest }: PackageNode): string {
  return `${name}@${manifest.version}`;
}

async function entriesOf(placed: readonly PackageNode[], registry: Registry): Promise<Map<PackageNode, LockEntry>> {
  const entries = placed.map(async (node) => {
    const manifest = node.manifest as PublishedManifest;
    return [node, publishedEntry(manifest, await registry.details(node.name, manifest.version))] as const;
  });
  return new Map(await Promise.all(entries));
}
