import type { Json } from "@tenrec/protocol";

type Dependencies = Readonly<Record<string, string>>;

/** What `package.json`, a registry and an entry of a lockfile say of a package; of the many fields, those that are used. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly bundleDependencies?: Json;
  readonly engines?: Readonly<Record<string, string>> | readonly string[];
  readonly deprecated?: string;
  readonly [field: string]: unknown;
}

/** A version in a registry. */
export interface PublishedManifest extends Manifest {
  readonly version: string;
  readonly dist?: { readonly tarball?: string; readonly integrity?: string; readonly shasum?: string };
}

/** Everything a registry says of a name. */
export interface Packument {
  readonly name: string;
  readonly "dist-tags"?: Readonly<Record<string, string>>;
  readonly versions?: Readonly<Record<string, PublishedManifest>>;
}
