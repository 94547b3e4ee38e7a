import { type Fields, fieldsOf, notInRegistry, optional, textOf } from "./lock-fields.ts";
import { nodeModulesSource } from "./node-modules-source.ts";
import type { PackageSource, PackageVersion } from "./package-source.ts";

/**
 * The source that npm's `package-lock.json` is, of all its versions:
 * https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json. Throws a `SyntaxError` for what is no JSON.
 */
export function readPackageLock(text: string): PackageSource {
  const lock = fieldsOf(JSON.parse(text));
  const places = new Map<string, () => PackageVersion>();
  if (lock["packages"]) {
    for (const [place, entry] of Object.entries(fieldsOf(lock["packages"]))) {
      if (place !== "") places.set(place, () => versionAt(place, fieldsOf(entry)));
    }
  } else addNested(places, "", lock);
  return nodeModulesSource(places);
}

/** The tree of version 1. */
function addNested(places: Map<string, () => PackageVersion>, parent: string, entry: Fields): void {
  for (const [name, value] of Object.entries(fieldsOf(entry["dependencies"]))) {
    const place = `${parent}node_modules/${name}`;
    const fields = fieldsOf(value);
    places.set(place, () => versionAt(place, fields));
    addNested(places, `${place}/`, fields);
  }
}

function versionAt(place: string, entry: Fields): PackageVersion {
  const name = textOf(entry["name"]) ?? place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const version = textOf(entry["version"]);
  const resolved = textOf(entry["resolved"]);
  if (entry["link"] === true || version === undefined) throw notInRegistry(name, resolved ?? "a folder");
  // Version 1 puts an alias or an address where the version is.
  const alias = /^npm:(.+)@([^@]+)$/s.exec(version);
  if (alias) return versionAt(place, { ...entry, name: alias[1], version: alias[2] });
  const address = resolved ?? (version.includes(":") ? version : undefined);
  if (address !== undefined && !/^https?:/.test(address)) throw notInRegistry(name, address);
  return {
    id: place,
    name,
    version,
    ...optional("tarball", address),
    ...optional("integrity", textOf(entry["integrity"])),
  };
}
