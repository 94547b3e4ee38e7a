import type { DependencyFlags } from "./dependency-flags.ts";
import type { Manifest, PublishedManifest } from "./manifest.ts";

/** An entry of `packages` in a lockfile. */
export type LockEntry = Record<string, unknown>;

/** What a lockfile repeats of a manifest. */
const FIELDS: readonly string[] = [
  "version",
  "dependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "optionalDependencies",
  "bundleDependencies",
  "acceptDependencies",
  "funding",
  "engines",
  "os",
  "cpu",
  "libc",
  "license",
  "bin",
  "deprecated",
  "workspaces",
];

const FLAGS: readonly string[] = ["dev", "optional", "devOptional", "peer", "extraneous"];

/** The entry of a package from a registry. `details` is all that the registry says of it, where the manifest is short. */
export function publishedEntry(manifest: PublishedManifest, details: PublishedManifest | undefined): LockEntry {
  const { dist } = manifest;
  const integrity = dist?.integrity ?? (dist?.shasum && `sha1-${hexToBase64(dist.shasum)}`);
  return {
    ...(dist?.tarball ? { resolved: dist.tarball } : {}),
    ...(integrity ? { integrity } : {}),
    ...(hasInstallScript({ ...details, ...manifest }) ? { hasInstallScript: true } : {}),
    ...fieldsOf({ ...details, ...manifest }),
  };
}

/** The entry of the project. */
export function rootEntry(manifest: Manifest): LockEntry {
  const { name, devDependencies = {} } = manifest;
  return {
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(devDependencies).length > 0 ? { devDependencies } : {}),
    ...(hasInstallScript(manifest) ? { hasInstallScript: true } : {}),
    ...fieldsOf(manifest),
  };
}

/** An entry with these flags and no others. */
export function withFlags(entry: LockEntry, flags: DependencyFlags): LockEntry {
  return { ...Object.fromEntries(Object.entries(entry).filter(([key]) => !FLAGS.includes(key))), ...flags };
}

function fieldsOf(manifest: Manifest): LockEntry {
  const fields = FIELDS.map((field) => [field, valueOf(manifest, field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => isWorthSaying(value)));
}

function valueOf(manifest: Manifest, field: string): unknown {
  const value = manifest[field];
  if (field === "bin") return binOf(manifest);
  if (field === "funding") return typeof value === "string" ? { url: value } : value;
  if (field === "license" && typeof value === "object" && value !== null && "type" in value) return value.type;
  return value;
}

function isWorthSaying(value: unknown): boolean {
  if (!value) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Commands by name; a text is the command of the package's own name. */
function binOf({ bin, name = "" }: Manifest): Record<string, string> | undefined {
  if (typeof bin === "string") return { [name.slice(name.indexOf("/") + 1)]: plainPath(bin) };
  if (typeof bin !== "object" || bin === null || Array.isArray(bin)) return undefined;
  const commands = Object.entries(bin).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(commands.map(([command, path]) => [command.replace(/^.*[/\\]/, ""), plainPath(path)]));
}

function plainPath(path: string): string {
  const parts = path.replaceAll("\\", "/").split("/");
  return parts.filter((part) => part !== "" && part !== "." && part !== "..").join("/");
}

function hasInstallScript({ hasInstallScript: isSaid, scripts }: Manifest): boolean {
  if (isSaid === true) return true;
  if (typeof scripts !== "object" || scripts === null) return false;
  return ["install", "preinstall", "postinstall"].some((name) => Boolean((scripts as Record<string, unknown>)[name]));
}

function hexToBase64(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  return btoa(String.fromCharCode(...bytes));
}
