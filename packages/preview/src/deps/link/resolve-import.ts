import { builtinOf } from "./builtin-modules.ts";
import { findFile, folderOf, normalize } from "./find-file.ts";
import type { ImportTarget } from "./linked-file.ts";
import type { LinkTarget, PackageManifest } from "./package-manifest.ts";
import type { ImportKind } from "./read-module.ts";

/** What resolving looks at. */
export interface PackageShape {
  readonly manifest: PackageManifest;
  readonly target: LinkTarget;
  readonly has: (path: string) => boolean;
  /** What the `package.json` of a folder names as its main file. */
  readonly mainOf: (folder: string) => string | undefined;
}

/** `name` and `./subpath` of a bare specifier, `.` for none. */
export function splitSpecifier(specifier: string): { readonly name: string; readonly subpath: string } {
  const [, name = specifier, rest = ""] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/s.exec(specifier) ?? [];
  return { name, subpath: rest === "" || rest === "/" ? "." : `.${rest}` };
}

export function isRelative(specifier: string): boolean {
  return /^\.{0,2}(?:\/|$)/.test(specifier);
}

/** The file of an entry, "" for an empty module; undefined for one that the package does not have. */
export function resolveEntry(shape: PackageShape, subpath: string, kind: ImportKind): string | undefined {
  const entry = shape.manifest.entry(subpath, kind);
  if (entry === false) return "";
  return entry === undefined ? undefined : findFile(shape.has, entry, shape.mainOf);
}

/** What `specifier` means in the file `from`; undefined for a file that is not there. */
export function resolveImport(
  shape: PackageShape,
  from: string,
  specifier: string,
  kind: ImportKind,
): ImportTarget | undefined {
  const plain = specifier.replace(/[?].*$/s, "");
  if (isRelative(plain)) {
    const path = normalize(`${folderOf(from)}/${plain}`);
    return path === undefined ? undefined : fileTarget(shape, `./${path}${/(?:^|\/)\.{0,2}$/.test(plain) ? "/" : ""}`);
  }
  if (!plain.startsWith("#")) return bareTarget(shape, plain, kind);
  const internal = shape.manifest.internal(plain, kind);
  if (internal === undefined || internal.startsWith("#")) return undefined;
  return internal.startsWith("./") ? fileTarget(shape, internal) : bareTarget(shape, internal, kind);
}

function bareTarget(shape: PackageShape, specifier: string, kind: ImportKind): ImportTarget | undefined {
  const { manifest, target } = shape;
  const replaced = manifest.replaced(specifier);
  if (replaced === false) return { to: "nothing" };
  if (replaced?.startsWith("./")) return fileTarget(shape, replaced);
  const builtin = builtinOf(specifier);
  // In a browser, a package may stand in for what Node has by the same name.
  const isBuiltin = target.platform === "worker" || builtin === specifier;
  if (builtin !== undefined && isBuiltin) return { to: "builtin", name: builtin };
  if (/^[a-z]+:/.test(specifier)) return undefined;
  const { name, subpath } = splitSpecifier(specifier);
  if (name !== manifest.name) return { to: "package", specifier: replaced ?? specifier.replace(/\/$/, ""), kind };
  const own = resolveEntry(shape, subpath, kind);
  if (own === "") return { to: "nothing" };
  return own === undefined ? undefined : { to: "file", path: own };
}

function fileTarget(shape: PackageShape, path: string): ImportTarget | undefined {
  const replaced = shape.manifest.replaced(path);
  if (replaced === false) return { to: "nothing" };
  const found = findFile(shape.has, replaced ?? path, shape.mainOf);
  const other = found === undefined ? undefined : shape.manifest.replaced(`./${found}`);
  if (other === false) return { to: "nothing" };
  const last = other === undefined ? found : findFile(shape.has, other, shape.mainOf);
  return last === undefined ? undefined : { to: "file", path: last };
}
