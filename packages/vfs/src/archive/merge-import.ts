import { TenrecError } from "@tenrec/protocol";
import { entryAt, putEntry } from "../overlay/edit.ts";
import { freshBytes, type OverlayDirectory, type OverlayEntry, type OverlayState } from "../overlay/state.ts";
import { checkStored } from "../overlay/store-content.ts";
import { joinPath } from "../path.ts";
import type { Import } from "./import-entries.ts";

/** Puts what was imported over what an overlay has now, in one step. Throws before the first change, or not at all. */
export function mergeImport(target: OverlayState, coming: Import): void {
  const puts = [...planned(target, coming, coming.state.root, [])];
  const replaced = puts.reduce((sum, { names }) => sum + freshBytes(entryAt(target, names)), 0);
  const used = target.bytes + coming.state.bytes - replaced;
  if (used > target.maxBytes) throw new TenrecError("ENOSPC", { used, limit: target.maxBytes });
  checkStored(target, coming.state.storedBytes);
  // What frees memory comes first, so that no step on the way is above the budget.
  puts.sort((a, b) => growth(target, a) - growth(target, b));
  for (const { names, entry } of puts) putEntry(target, names, entry);
  for (const hash of coming.state.stored) target.stored.add(hash);
  target.storedBytes += coming.state.storedBytes;
}

interface Put {
  readonly names: readonly string[];
  readonly entry: OverlayEntry;
}

function* planned(
  target: OverlayState,
  coming: Import,
  directory: OverlayDirectory,
  above: readonly string[],
): Generator<Put> {
  for (const [name, entry] of directory.names) {
    if (!entry) continue;
    const names = [...above, name];
    const there = entryAt(target, names);
    if (entry.kind !== "directory") {
      if (there?.kind === "directory") throw new TenrecError("EISDIR", { path: joinPath(names) });
      yield { names, entry };
    } else if (there === undefined || (coming.named.has(entry as OverlayDirectory) && there.kind !== "directory")) {
      yield { names, entry };
    } else if (there.kind === "directory") {
      yield* planned(target, coming, entry as OverlayDirectory, names);
    } else {
      throw new TenrecError("EACCES", { path: joinPath(names), reason: "it is no directory" });
    }
  }
}

function growth(target: OverlayState, { names, entry }: Put): number {
  return freshBytes(entry) - freshBytes(entryAt(target, names));
}
