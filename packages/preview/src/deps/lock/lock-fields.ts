import { TenrecError } from "@tenrec/protocol";

/** Something read from a lockfile, of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object itself; an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The pairs of a map from text to text; others are left out. */
export function textsOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(fieldsOf(value)).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

/** The same text, given only where there is one, for an optional field. */
export function optional<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: string });
}

/** What is not in a registry and so cannot be fetched from one. */
export function notInRegistry(name: string, where: string): TenrecError {
  return new TenrecError("unsupported", { what: `the package ${name} from ${where}`, by: "The preview" });
}
