import type { SearchScope } from "@tenrec/protocol";
import type { Finder } from "../command/find-in-operands.ts";
import type { SearchShell } from "../command/search-shell.ts";

/** Lines that end with a NUL: in what is searched, NUL and line feed change places. */
export function inNullLines(shell: SearchShell, finder: Finder, scope: SearchScope): Finder {
  const swap = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => (byte === 0 ? 10 : byte === 10 ? 0 : byte));
  return {
    content: (bytes, path) => finder.content(swap(bytes), path),
    async *tree(paths) {
      for await (const event of shell.search.glob({ ...scope, path: paths, pattern: "**" }, shell.signal)) {
        if (event.type !== "entry" || event.kind !== "file") continue;
        const bytes = await shell.fs.readFileBuffer(`/workspace${event.path}`);
        for await (const found of finder.content(swap(bytes), event.path)) if (found.type === "file") yield found;
      }
    },
  };
}
