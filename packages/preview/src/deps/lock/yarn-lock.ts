import { parse } from "yaml";
import { type Fields, fieldsOf, notInRegistry, optional, textOf } from "./lock-fields.ts";
import { integrityOfSha1 } from "../tarball/integrity.ts";
import type { PackageSource, PackageVersion } from "./package-source.ts";

/**
 * The source that a `yarn.lock` is, of Yarn 1 and of later ones. It does not say where a peer is found, so a name that a
 * package does not depend on is what the app has. The later ones have no integrity of tarballs.
 */
export function readYarnLock(text: string, ranges: ReadonlyMap<string, string>): PackageSource {
  const entries = /^__metadata:/m.test(text) ? fieldsOf(parse(text)) : parseYarnOne(text);
  const byRange = new Map<string, string>();
  for (const key of Object.keys(entries)) for (const one of key.split(/,\s*/)) byRange.set(one, key);
  const keyOf = (name: string, range: string | undefined): string | undefined =>
    range === undefined ? undefined : (byRange.get(`${name}@${range}`) ?? byRange.get(`${name}@npm:${range}`));
  return {
    find(from, name) {
      const own = from && fieldsOf(entries[from.id]);
      const declared = own && { ...fieldsOf(own["dependencies"]), ...fieldsOf(own["optionalDependencies"]) };
      const key = keyOf(name, textOf(declared?.[name])) ?? keyOf(name, ranges.get(name));
      return Promise.resolve(key === undefined ? undefined : versionOf(key, name, fieldsOf(entries[key])));
    },
  };
}

function versionOf(id: string, name: string, entry: Fields): PackageVersion {
  const version = textOf(entry["version"]);
  // Of Yarn 1 an address with a SHA-1 behind it, later `name@npm:version`.
  const resolved = textOf(entry["resolved"]);
  const later = /^(.+)@npm:/.exec(textOf(entry["resolution"]) ?? "");
  const alias = /@npm:(.+)@[^@]+$/.exec(id.split(/,\s*/)[0] ?? "");
  if (version === undefined || (resolved === undefined && !later)) throw notInRegistry(name, "outside a registry");
  if (resolved !== undefined && !/^https?:/.test(resolved)) throw notInRegistry(name, resolved);
  const real = later?.[1] ?? alias?.[1] ?? name;
  const [tarball, sha1] = resolved?.split("#") ?? [];
  const integrity = textOf(entry["integrity"]) ?? integrityOfSha1(sha1);
  return { id, name: real, version, ...optional("tarball", tarball), ...optional("integrity", integrity) };
}

/** Lines `key value`, or `key:` with deeper lines below it; keys and values may stand in quotes. */
function parseYarnOne(text: string): Fields {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const open: { readonly indent: number; readonly fields: Record<string, unknown> }[] = [{ indent: -1, fields: root }];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const indent = line.length - line.trimStart().length;
    while (open.length > 1 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const parent = open.at(-1)?.fields ?? root;
    const content = line.trim();
    if (content.endsWith(":")) {
      const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      parent[content.slice(0, -1).replaceAll('"', "")] = fields;
      open.push({ indent, fields });
      continue;
    }
    const [, key, value] = /^("[^"]*"|\S+)\s+(.*)$/.exec(content) ?? [];
    if (key !== undefined && value !== undefined) parent[key.replaceAll('"', "")] = value.replaceAll(/^"|"$/g, "");
  }
  return root;
}
