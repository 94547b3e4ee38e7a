/** One version of a package, as a lockfile or a registry names it. */
export interface PackageVersion {
  /** What this version is called where it was found; two places of one version may differ in it. */
  readonly id: string;
  /** Its name in the registry, which is not the imported one where that is an alias. */
  readonly name: string;
  readonly version: string;
  /** Absent where the lockfile leaves it to the registry. */
  readonly tarball?: string;
  /** Subresource integrity of the tarball, such as `sha512-…`; absent where the lockfile has none. */
  readonly integrity?: string;
}

/** Which version a name means. */
export interface PackageSource {
  /**
   * The version that `name` means in the code of `from`, or in the app where that is undefined; undefined when nothing
   * says so. Throws `unsupported` for what is not in a registry, such as a folder or a repository, and what asking the
   * registry throws.
   */
  find(from: PackageVersion | undefined, name: string, signal: AbortSignal): Promise<PackageVersion | undefined>;
}
