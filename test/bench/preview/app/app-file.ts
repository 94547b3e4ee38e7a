/** A file of an app. */
export interface AppFile {
  /** Without a leading slash. */
  readonly path: string;
  readonly text: string;
}
