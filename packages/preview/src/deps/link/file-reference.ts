/** One file of one package. */
export interface FileReference {
  /** `PackageVersion.id`. */
  readonly id: string;
  /** "" for an empty module. */
  readonly path: string;
}
