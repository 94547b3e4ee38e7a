import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Text that some files have. As a regular expression it would be another one. */
export const LITERAL = "Object.keys(";
/** Text that no file has. */
export const NONE = "no file has this text";

export interface NamedPattern {
  readonly name: string;
  readonly pattern: string;
  /** `i`: letters match in either case. */
  readonly flags?: "i";
}

/** What patterns.json holds. */
interface Patterns {
  /** Regular expressions of everyday. */
  readonly regex: readonly NamedPattern[];
  /** Ones that a search by trying all ways does not survive. */
  readonly hostile: readonly NamedPattern[];
}

export const PATTERNS: Patterns = JSON.parse(
  readFileSync(join(import.meta.dirname, "patterns.json"), "utf8"),
) as Patterns;
