import semver from "semver";

/** What is wanted of a package in a registry. Anything else, such as a git URL, a file or an alias, is `other`. */
export interface NpmSpec {
  readonly type: "range" | "version" | "tag" | "other";
  /** A range, a version or a tag; `*` where nothing was said, of which `latest` is the first choice. */
  readonly text: string;
}

const LOOSE = { loose: true } as const;

/** The part after the `@`. */
export function parseSpec(raw: string): NpmSpec {
  const text = raw.trim();
  if (text === "" || text === "*") return { type: "range", text: "*" };
  const version = semver.valid(text, LOOSE);
  if (version !== null) return { type: "version", text: version };
  if (semver.validRange(text, LOOSE) !== null) return { type: "range", text };
  return /^[\w.-]+$/.test(text) && !/^\.{1,2}$/.test(text) ? { type: "tag", text } : { type: "other", text };
}

/** Whether a version is one that a dependency asks for. What is not from a registry is taken for what was asked for. */
export function satisfies(version: string | undefined, spec: string): boolean {
  const { type, text } = parseSpec(spec.replace(/^npm:(@?[^@]+)@?/, ""));
  if (type === "tag" || type === "other") return true;
  return version !== undefined && semver.satisfies(version, text, LOOSE);
}

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** `name`, `name@spec`, `@scope/name@spec`; undefined for what is not the name of a package in a registry. */
export function parsePackage(word: string): { name: string; spec: NpmSpec } | undefined {
  const at = word.indexOf("@", 1);
  const name = at === -1 ? word : word.slice(0, at);
  const spec = at === -1 ? ({ type: "range", text: "*" } as const) : parseSpec(word.slice(at + 1));
  return NAME.test(name) && name.length <= 214 && spec.type !== "other" ? { name, spec } : undefined;
}
