/** Why an app, or a part of it, cannot be shown: data for a page, a model and an editor. */
export interface Problem {
  /** The tree's file that it is about, absolute; absent when it is about no file. */
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 units. */
  readonly column?: number;
  /** What is wrong and, where that is known, what to do. */
  readonly message: string;
}
