import { TenrecError } from "@tenrec/protocol";
import { type Fields, fieldsOf, notInRegistry, optional, textOf } from "./lock-fields.ts";
import type { PackageSource, PackageVersion } from "./package-source.ts";
import { parseYaml } from "./parse-yaml.ts";

const GROUPS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * The source that `pnpm-lock.yaml` of the versions 6 and 9 is. A peer is among the dependencies of who asks for it. Throws
 * `unsupported` for older versions, and what the YAML parser throws.
 */
export function readPnpmLock(text: string): PackageSource {
  const lock = fieldsOf(parseYaml(text));
  const version = String(lock["lockfileVersion"]);
  if (!/^(6|9)\./.test(version)) {
    throw new TenrecError("unsupported", { what: `pnpm-lock.yaml of version ${version}`, by: "The preview" });
  }
  const packages = fieldsOf(lock["packages"]);
  const snapshots = version.startsWith("9") ? fieldsOf(lock["snapshots"]) : packages;
  // Without workspaces, version 6 has no importers.
  const root = lock["importers"] ? fieldsOf(fieldsOf(lock["importers"])["."]) : lock;
  return {
    find(from, name) {
      const entry = from ? fieldsOf(snapshots[from.id]) : root;
      const reference = referenceIn(entry, name);
      if (reference === undefined) return Promise.resolve(undefined);
      if (reference.startsWith("link:")) throw notInRegistry(name, reference);
      const keys = [`${name}@${reference}`, `/${name}@${reference}`, reference, `/${reference}`];
      const key = keys.find((candidate) => Object.hasOwn(snapshots, candidate));
      if (key === undefined) throw notInRegistry(name, reference);
      return Promise.resolve(versionOf(key, packages));
    },
  };
}

function referenceIn(entry: Fields, name: string): string | undefined {
  for (const group of GROUPS) {
    const found = fieldsOf(entry[group])[name];
    const reference = textOf(found) ?? textOf(fieldsOf(found)["version"]);
    if (reference !== undefined) return reference;
  }
  return undefined;
}

function versionOf(id: string, packages: Fields): PackageVersion {
  // What stands in parentheses are the peers.
  const key = id.replace(/\(.*$/s, "");
  const entry = fieldsOf(packages[key] ?? packages[id]);
  const resolution = fieldsOf(entry["resolution"]);
  const [, name, version] = /^\/?(.+)@([^@]+)$/.exec(key) ?? [];
  const integrity = textOf(resolution["integrity"]);
  if (name === undefined || version === undefined || integrity === undefined)
    throw notInRegistry(key, "outside a registry");
  return { id, name, version, integrity, ...optional("tarball", textOf(resolution["tarball"])) };
}
