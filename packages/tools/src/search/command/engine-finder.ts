import type { GrepQuery } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { Finder } from "./find-in-operands.ts";
import type { SearchShell } from "./search-shell.ts";

/** A search by the engine alone. */
export function engineFinder({ search, signal }: SearchShell, query: Omit<GrepQuery, "path">): Finder {
  return {
    tree: (path) => search.grep({ ...query, path }, signal),
    content: (bytes, path) => search.grepContent(bytes, path, query, signal),
  };
}

/** Whether the engine takes these patterns; others are for a matcher of our own. */
export async function isForEngine({ search }: SearchShell, query: Omit<GrepQuery, "path">): Promise<boolean> {
  try {
    for await (const _ of search.grepContent(new Uint8Array(), "", query)) continue;
    return true;
  } catch (error) {
    if (hasCode(error, "EINVAL")) return false;
    throw error;
  }
}
