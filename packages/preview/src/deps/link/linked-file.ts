import type { ImportKind } from "./read-module.ts";

/** What a specifier in a file of a package means. */
export type ImportTarget =
  | { readonly to: "file"; readonly path: string }
  /** Another package; which version that is depends on who has this one. */
  | { readonly to: "package"; readonly specifier: string; readonly kind: ImportKind }
  | { readonly to: "builtin"; readonly name: string }
  /** An empty module, as the package itself wants it for browsers. */
  | { readonly to: "nothing" };

/** A file of a package, as the body of a function. Nothing in it depends on where the package is used. */
export interface LinkedFile {
  /** An `asset` has no code: it is a module of its own. */
  readonly kind: "esm" | "cjs" | "asset";
  /** Whether the default of a CommonJS module is always all of it here, as in Node. */
  readonly node: boolean;
  readonly code: string;
  readonly targets: Readonly<Record<string, ImportTarget>>;
  /** What can be imported by name. */
  readonly names: readonly string[];
  /** Specifiers whose names are names of this one too. */
  readonly stars: readonly string[];
  /** Of all of the above. */
  readonly hash: string;
  /** Why it throws when it is run. */
  readonly problem?: string;
}

/** The part of a package that somebody uses, linked once for each target. */
export interface PackageUnit {
  /** The file of each entry, by `import .` or `require ./sub`; null for one that the package does not have, "" for an empty one. */
  readonly entries: Readonly<Record<string, string | null>>;
  readonly files: Readonly<Record<string, LinkedFile>>;
  /** Bytes of the assets, in base64. */
  readonly assets: Readonly<Record<string, string>>;
}

export function entryKey(subpath: string, kind: ImportKind): string {
  return `${kind} ${subpath}`;
}
