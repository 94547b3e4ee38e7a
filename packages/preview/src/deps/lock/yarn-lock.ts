import { type Fields, fieldsOf, notInRegistry, optional, textOf } from "./lock-fields.ts";
import { integrityOfSha1 } from "../tarball/integrity.ts";
import type { PackageSource, PackageVersion } from "./package-source.ts";
import { parseYaml } from "./parse-yaml.ts";

/**
 * The source that a `yarn.lock` is, of Yarn 1 and of later ones. It does not say where a peer is found, so a name that a
 * package does not depend on is what the app has. The later ones have no integrity of tarballs.
 */
export function readYarnLock(text: string, ranges: ReadonlyMap<string, string>): PackageSource {
  const entries = /^__metadata:/m.test(text) ? fieldsOf(parseYaml(text)) : parseYarnOne(text);
  // A key is many ranges long: what is looked up and kept is the first of them.
  const byRange = new Map<string, string>();
  const byId = new Map<string, Fields>();
  for (const [key, entry] of Object.entries(entries)) {
    const all = key.split(/,\s*/);
    const [id = ""] = all;
    byId.set(id, fieldsOf(entry));
    for (const one of all) byRange.set(one, id);
  }
  const idOf = (name: string, range: string | undefined): string | undefined =>
    range === undefined ? undefined : (byRange.get(`${name}@${range}`) ?? byRange.get(`${name}@npm:${range}`));
  return {
    find(from, name) {
      const own = from && byId.get(from.id);
      const declared = own && { ...fieldsOf(own["dependencies"]), ...fieldsOf(own["optionalDependencies"]) };
      const id = idOf(name, textOf(declared?.[name])) ?? idOf(name, ranges.get(name));
      return Promise.resolve(id === undefined ? undefined : versionOf(id, name, byId.get(id) ?? {}));
    },
  };
}

function versionOf(id: string, name: string, entry: Fields): PackageVersion {
  const version = textOf(entry["version"]);
  // Of Yarn 1 an address with a SHA-1 behind it, later `name@npm:version`.
  const resolved = textOf(entry["resolved"]);
  const later = /^(.+)@npm:/.exec(textOf(entry["resolution"]) ?? "");
  if (version === undefined || (resolved === undefined && !later)) throw notInRegistry(name, "outside a registry");
  if (resolved !== undefined && !/^https?:/.test(resolved)) throw notInRegistry(name, resolved);
  const real = later?.[1] ?? aliasedIn(id) ?? name;
  const [tarball, sha1] = resolved?.split("#") ?? [];
  const integrity = textOf(entry["integrity"]) ?? integrityOfSha1(sha1);
  return { id, name: real, version, ...optional("tarball", tarball), ...optional("integrity", integrity) };
}

/** The package that a range such as `b@npm:a@^1.0.0` is of; undefined for one that names no other. */
function aliasedIn(range: string): string | undefined {
  const at = range.indexOf("@npm:");
  const real = at === -1 ? "" : range.slice(at + "@npm:".length);
  const end = real.lastIndexOf("@");
  return end > 0 ? real.slice(0, end) : undefined;
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
    const key = /^(?:"[^"]*"|\S+)(?=\s)/.exec(content)?.[0];
    if (key !== undefined) parent[key.replaceAll('"', "")] = content.slice(key.length).trim().replaceAll(/^"|"$/g, "");
  }
  return root;
}
