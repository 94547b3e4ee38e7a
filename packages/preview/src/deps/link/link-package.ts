import { fieldsOf, textOf } from "../lock/lock-fields.ts";
import type { PackageFiles } from "../tarball/unpack.ts";
import { broken, type CodeDraft } from "./link-code.ts";
import { draftFile } from "./link-file.ts";
import { entryKey, type ImportTarget, type LinkedFile, type PackageUnit } from "./linked-file.ts";
import { type LinkTarget, packageManifest } from "./package-manifest.ts";
import type { ImportKind } from "./read-module.ts";
import { type PackageShape, resolveEntry, resolveImport } from "./resolve-import.ts";

/** What somebody imports from a package. */
export interface EntryWish {
  /** `.` or `./sub`. */
  readonly subpath: string;
  readonly kind: ImportKind;
}

export const EMPTY_UNIT: PackageUnit = { entries: {}, files: {}, assets: {} };

/** Characters of code after which others get to run. */
const PIECE = 200_000;

/**
 * A unit with these entries too, and all files of the package that they need. Files that the unit has already stay. Throws
 * `signal.reason` on abort.
 */
export async function linkPackage(
  files: PackageFiles,
  target: LinkTarget,
  unit: PackageUnit,
  wishes: readonly EntryWish[],
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<PackageUnit> {
  const shape = shapeOf(files, target);
  // Maps, since a file may have any name: `__proto__` too.
  const entries = new Map(Object.entries(unit.entries));
  const linked = new Map(Object.entries(unit.files));
  const assets = new Map(Object.entries(unit.assets));
  const open: string[] = [];
  for (const { subpath, kind } of wishes) {
    const path = resolveEntry(shape, subpath, kind);
    entries.set(entryKey(subpath, kind), path ?? null);
    if (path !== undefined && path !== "") open.push(path);
  }
  let work = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (linked.has(path)) continue;
    const bytes = files.get(path) ?? new Uint8Array();
    const draft = draftOf(path, bytes, shape);
    const file = await finish(draft, path, shape);
    linked.set(path, file);
    if (file.kind === "asset") assets.set(path, toBase64(bytes));
    for (const to of Object.values(file.targets)) if (to.to === "file") open.push(to.path);
    work += bytes.length;
    if (work < PIECE) continue;
    work = 0;
    await pause();
    signal.throwIfAborted();
  }
  return {
    entries: Object.fromEntries(entries),
    files: Object.fromEntries(linked),
    assets: Object.fromEntries(assets),
  };
}

/** A syntax tree takes some thirteen times the bytes of its file, and an isolate has 128 MB. */
const MAX_CODE_BYTES = 4 * 1024 * 1024;

function draftOf(path: string, bytes: Uint8Array, { manifest, target }: PackageShape): CodeDraft {
  return bytes.length > MAX_CODE_BYTES
    ? broken(`${path} has ${bytes.length} bytes, the limit for code is ${MAX_CODE_BYTES}`)
    : draftFile(path, bytes, manifest, target);
}

async function finish(draft: CodeDraft, path: string, shape: PackageShape): Promise<LinkedFile> {
  const targets = new Map<string, ImportTarget>();
  for (const [specifier, kind] of draft.imports) {
    const to = resolveImport(shape, path, specifier, kind);
    if (to) targets.set(specifier, to);
  }
  const { imports: _, ...rest } = draft;
  const content = { ...rest, targets: Object.fromEntries(targets) };
  return { ...content, hash: await hashOf(JSON.stringify(content)) };
}

/** The first 16 digits of the SHA-256 of a text. */
export async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash, 0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function shapeOf(files: PackageFiles, target: LinkTarget): PackageShape {
  const jsonAt = (path: string): unknown => {
    const bytes = files.get(path);
    try {
      return bytes && JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return undefined;
    }
  };
  return {
    manifest: packageManifest(jsonAt("package.json"), target),
    target,
    has: (path) => files.has(path),
    mainOf: (folder) => {
      const fields = folder === "" ? {} : fieldsOf(jsonAt(`${folder}/package.json`));
      return textOf(fields["module"]) ?? textOf(fields["main"]);
    },
  };
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
