import { TenrecError } from "@tenrec/protocol";
import { fieldsOf, optional, textOf, textsOf } from "../lock/lock-fields.ts";
import { integrityOfSha1 } from "../tarball/integrity.ts";
import { checkPackageName } from "./check-package-name.ts";
import type { RegistryClient } from "./registry-client.ts";

/** What a registry knows of one version: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
export interface RegistryVersion {
  readonly version: string;
  readonly tarball: string;
  readonly integrity?: string;
  /** Ranges by name, those of peers and of optional dependencies among them, not those of optional peers. */
  readonly ranges: Readonly<Record<string, string>>;
}

export interface Packument {
  readonly tags: ReadonlyMap<string, string>;
  readonly versions: readonly string[];
  /** Throws `package-not-found` for a version without a tarball. */
  version(version: string): RegistryVersion;
}

/** Packages with thousands of versions have some 15 MB. */
const MAX_BYTES = 40 * 1024 * 1024;
const ACCEPT = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

/** All versions of a package. Throws what `RegistryClient.get` does, and `registry-failed` for an answer without sense. */
export async function fetchPackument(client: RegistryClient, name: string, signal: AbortSignal): Promise<Packument> {
  checkPackageName(name);
  const registry = client.config.registryOf(name);
  const url = `${registry}/${name.replace("/", "%2f")}`;
  const bytes = await client.get(url, { package: name, accept: ACCEPT, maxBytes: MAX_BYTES }, signal);
  let fields;
  try {
    fields = fieldsOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const data = { package: name, registry: new URL(url).host, reason: "its answer is no JSON" };
    throw new TenrecError("registry-failed", data, { cause: error });
  }
  const versions = fieldsOf(fields["versions"]);
  return {
    tags: textsOf(fields["dist-tags"]),
    versions: Object.keys(versions),
    version(version) {
      const entry = fieldsOf(versions[version]);
      const dist = fieldsOf(entry["dist"]);
      const tarball = textOf(dist["tarball"]);
      if (tarball === undefined) {
        throw new TenrecError("package-not-found", { package: `${name}@${version}`, registry: new URL(url).host });
      }
      const integrity = textOf(dist["integrity"]) ?? integrityOfSha1(textOf(dist["shasum"]));
      const groups = ["peerDependencies", "dependencies", "optionalDependencies"] as const;
      const meta = fieldsOf(entry["peerDependenciesMeta"]);
      // An optional peer is there when the app has it.
      const isWanted = (group: string, name: string): boolean =>
        group !== "peerDependencies" || fieldsOf(meta[name])["optional"] !== true;
      const pairs = groups.flatMap((group) => [...textsOf(entry[group])].filter(([name]) => isWanted(group, name)));
      const ranges = Object.fromEntries(pairs);
      return { version, tarball, ranges, ...optional("integrity", integrity) };
    },
  };
}
