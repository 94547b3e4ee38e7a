import { TenrecError } from "@tenrec/protocol";
import type { DependencyCache } from "../cache/dependency-cache.ts";
import type { PackageVersion } from "../lock/package-source.ts";
import { checkPackageName } from "../registry/check-package-name.ts";
import { fetchPackument } from "../registry/packument.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import { checkIntegrity } from "./integrity.ts";

/** Of the tarball itself. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What lockfiles name whatever registry they were made with. */
const PUBLIC_HOSTS = /^https?:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)\//;

/** A version whose integrity is known. */
export interface SealedVersion extends PackageVersion {
  readonly integrity: string;
}

/**
 * The same version with its integrity, from the registry where the lockfile has none. Throws `package-damaged` where the
 * registry has none either or the name is none, and what asking it throws.
 */
export async function sealVersion(
  version: PackageVersion,
  client: RegistryClient,
  signal: AbortSignal,
): Promise<SealedVersion> {
  checkPackageName(version.name, version.version);
  if (version.integrity !== undefined) return { ...version, integrity: version.integrity };
  const found = (await fetchPackument(client, version.name, signal)).version(version.version);
  if (found.integrity !== undefined) return { tarball: found.tarball, ...version, integrity: found.integrity };
  throw new TenrecError("package-damaged", {
    package: nameOf(version),
    reason: "its registry does not tell its integrity",
  });
}

/** The bytes of a tarball, from the cache or a registry, with the right integrity. Throws what fetching and checking throw. */
export async function fetchTarball(
  version: SealedVersion,
  client: RegistryClient,
  cache: DependencyCache,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = `tarball/${version.integrity}`;
  const cached = await cache.get(key);
  if (cached) return new Uint8Array(cached);
  const name = nameOf(version);
  const bytes = await client.get(addressOf(version, client), { package: name, maxBytes: MAX_BYTES }, signal);
  await checkIntegrity(name, bytes, version.integrity);
  await cache.put(key, bytes);
  return bytes;
}

export function nameOf({ name, version }: PackageVersion): string {
  return `${name}@${version}`;
}

function addressOf({ name, version, tarball }: PackageVersion, client: RegistryClient): string {
  const registry = client.config.registryOf(name);
  const plain = name.slice(name.indexOf("/") + 1);
  const [plainVersion = version] = version.split("+");
  return tarball?.replace(PUBLIC_HOSTS, `${registry}/`) ?? `${registry}/${name}/-/${plain}-${plainVersion}.tgz`;
}
