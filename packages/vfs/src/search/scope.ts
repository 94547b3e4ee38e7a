import { type IgnoreSource, type SearchScope, TenrecError } from "@tenrec/protocol";
import { parseGlobRule } from "./glob/glob-rule.ts";
import { fileTypes, typeTest } from "./glob/file-types.ts";
import { GlobError } from "./glob/parse-glob.ts";
import { RuleSet } from "./glob/rule-set.ts";

/** A scope, made ready to ask about paths. */
export interface ScopePlan {
  readonly globs: RuleSet;
  /** Some glob includes, so files that none matches are left out. */
  readonly globsInclude: boolean;
  readonly isType?: (name: string) => boolean;
  readonly isOtherType?: (name: string) => boolean;
  readonly hidden: boolean;
  readonly ignores: (source: IgnoreSource) => boolean;
  readonly ignoreFiles: readonly string[];
  readonly follow: boolean;
  readonly maxDepth: number;
  readonly maxFileSize: number;
  readonly explain: boolean;
}

/** `EINVAL` for a glob or a type that is not valid. */
export function planScope(scope: SearchScope): ScopePlan {
  const rules = (scope.globs ?? []).flatMap((glob) => parseOrRefuse(glob, scope.globsIgnoreCase ?? false) ?? []);
  const { types = [], typesNot = [], noIgnore = false } = scope;
  const table = types.length + typesNot.length > 0 ? fileTypes(scope.typeGlobs) : new Map<string, string[]>();
  return {
    globs: new RuleSet(rules),
    globsInclude: rules.some(({ negated }) => !negated),
    ...(types.length > 0 ? { isType: typeTest(table, types) } : {}),
    ...(typesNot.length > 0 ? { isOtherType: typeTest(table, typesNot) } : {}),
    hidden: scope.hidden ?? false,
    ignores: (source) => (typeof noIgnore === "boolean" ? !noIgnore : !noIgnore.includes(source)),
    ignoreFiles: noIgnore === true ? [] : (scope.ignoreFiles ?? []),
    follow: scope.follow ?? false,
    maxDepth: scope.maxDepth ?? Number.POSITIVE_INFINITY,
    maxFileSize: scope.maxFileSize ?? Number.POSITIVE_INFINITY,
    explain: scope.explain ?? false,
  };
}

/** As `parseGlobRule`, with `EINVAL` for a glob that is not valid. */
export function parseOrRefuse(glob: string, ignoreCase: boolean): ReturnType<typeof parseGlobRule> {
  try {
    return parseGlobRule(glob, ignoreCase);
  } catch (error) {
    if (error instanceof GlobError)
      throw new TenrecError("EINVAL", { path: glob.slice(0, 1000), reason: error.message });
    throw error;
  }
}
