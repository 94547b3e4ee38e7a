import semver from "semver";
import { inStyle, jsonStyle } from "./json-style.ts";
import type { Manifest } from "./manifest.ts";
import { needsNpm, npmError } from "./npm-refusal.ts";
import type { NpmSpec } from "./npm-spec.ts";

export type Section = "dependencies" | "devDependencies" | "optionalDependencies";

const SECTIONS: readonly (Section | "peerDependencies")[] = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/** `package.json` of a project; an empty one where there is none. Throws `NpmRefusal` for what only npm understands. */
export function parseManifest(text: string | undefined): Manifest {
  if (text === undefined) return {};
  let manifest: unknown;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw npmError(`code EJSONPARSE\npackage.json is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest))
    throw npmError("code EJSONPARSE\npackage.json is not an object");
  for (const field of ["workspaces", "overrides", "bundleDependencies", "bundledDependencies"]) {
    if (field in manifest) throw needsNpm(`package.json has ${field}`);
  }
  return manifest as Manifest;
}

/** With a dependency in one section and in no other; the section that it is in already, where none is named. */
export function withDependency(manifest: Manifest, section: Section | undefined, name: string, spec: string): Manifest {
  const there = (["optionalDependencies", "devDependencies", "dependencies"] as const).find(
    (each) => manifest[each] && Object.hasOwn(manifest[each], name),
  );
  const chosen = section ?? there ?? "dependencies";
  const others = withoutDependency(manifest, name, (each) => each !== chosen && each !== "peerDependencies");
  return { ...others, [chosen]: { ...others[chosen], [name]: spec } };
}

/** Without a dependency. A section that is empty then goes too. */
export function withoutDependency(
  manifest: Manifest,
  name: string,
  isIn: (section: Section | "peerDependencies") => boolean = () => true,
): Manifest {
  const changed = SECTIONS.filter((each) => manifest[each] && Object.hasOwn(manifest[each], name) && isIn(each)).map(
    (each) => {
      const rest = Object.fromEntries(Object.entries(manifest[each] ?? {}).filter(([key]) => key !== name));
      return [each, rest] as const;
    },
  );
  const entries = Object.entries({ ...manifest, ...Object.fromEntries(changed) });
  return Object.fromEntries(
    entries.filter(
      ([key, value]) => !changed.some(([each]) => each === key) || Object.keys(value as object).length > 0,
    ),
  );
}

/** With its sections in the order that npm gives all of them whenever it saves one. */
function sortSections(manifest: Manifest): Manifest {
  const sections = SECTIONS.flatMap((each) => {
    const section = manifest[each];
    if (!section) return [];
    const sorted = Object.entries(section).toSorted(([a], [b]) => a.localeCompare(b, "en"));
    return [[each, Object.fromEntries(sorted)] as const];
  });
  return { ...manifest, ...Object.fromEntries(sections) };
}

/** What is saved for a package that was asked for: `^` and its version, unless the range that was asked for is narrower. */
export function savedRange({ type, text }: NpmSpec, version: string, prefix: "^" | ""): string {
  const range = `${prefix}${version}`;
  if (type !== "range") return range;
  // Of a bundle of semver in workerd, `subset` does not know the range of all versions.
  const isWithin = semver.validRange(text) === "*" || semver.subset(range, text, { loose: true });
  return isWithin ? range : text;
}

/** The text of a manifest, laid out as it was before. */
export function manifestText(manifest: Manifest, old: string | undefined): string {
  const style = jsonStyle(old ?? "");
  return inStyle(`${JSON.stringify(sortSections(manifest), null, style.indent)}\n`, style);
}
