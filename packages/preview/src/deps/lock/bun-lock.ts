import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { fieldsOf, notInRegistry, optional, textOf } from "./lock-fields.ts";
import { nodeModulesSource } from "./node-modules-source.ts";
import type { PackageSource, PackageVersion } from "./package-source.ts";

/**
 * The source that Bun's text lockfile is: https://bun.com/docs/pm/lockfile. Keys are names joined by `/`, one below the
 * other; a value is `[name@version, registry, …, integrity]`. Throws for what cannot be parsed.
 */
export function readBunLock(text: string): PackageSource {
  const errors: ParseError[] = [];
  const lock = fieldsOf(parse(text, errors, { allowTrailingComma: true }));
  if (errors[0]) throw new Error(`${printParseErrorCode(errors[0].error)} at ${errors[0].offset}`);
  const places = new Map<string, () => PackageVersion>();
  for (const [key, value] of Object.entries(fieldsOf(lock["packages"]))) {
    const place = key.replaceAll(/(?<=^|\/)(@[^/]+\/[^/]+|[^/]+)/g, "node_modules/$1");
    places.set(place, () => versionAt(place, Array.isArray(value) ? (value as unknown[]) : []));
  }
  return nodeModulesSource(places);
}

function versionAt(place: string, [first, registry, , integrity]: readonly unknown[]): PackageVersion {
  const [, name, version] = /^(.+)@([^@]+)$/.exec(textOf(first) ?? "") ?? [];
  if (name === undefined || version === undefined) throw notInRegistry(place, "an unknown place");
  if (typeof integrity !== "string") throw notInRegistry(name, version);
  const address = textOf(registry);
  return {
    id: place,
    name,
    version,
    integrity,
    ...optional("tarball", address?.endsWith(".tgz") ? address : undefined),
  };
}
