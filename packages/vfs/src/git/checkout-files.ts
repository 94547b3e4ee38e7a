import { TenrecError } from "@tenrec/protocol";
import { childrenOf } from "../overlay/children.ts";
import { entryAt, newDirectory, putEntry, removeEntry } from "../overlay/edit.ts";
import { checkTarget } from "../path.ts";
import { sha256 } from "../sha256.ts";
import type { OverlayEntry } from "../overlay/state.ts";
import type { CheckoutPlan } from "./checkout-plan.ts";
import { breathe, type GitContext, report } from "./context.ts";
import { isDotGit, quote, treeNames } from "./git-path.ts";
import { type TrackedFile, writeIndex } from "./index-file.ts";
import { readBlobBytes } from "./objects.ts";
import { rememberId } from "./oids.ts";
import { SUBMODULE } from "./work-tree.ts";

/** To inflate and hash, more or less. */
const BYTES_PER_FILE = 32 * 1024;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Does what a plan says. Without `force`, `git-local-changes` for what would be lost, and for
 * files in the place of a directory or the other way round that git does not know.
 */
export async function checkoutFiles(context: GitContext, plan: CheckoutPlan, force: boolean): Promise<void> {
  const conflicts = force ? [] : [...plan.conflicts, ...obstacles(context, plan)];
  if (conflicts.length > 0) throw new TenrecError("git-local-changes", { paths: [...new Set(conflicts)].sort() });
  for (const path of plan.remove) removeFile(context, path);
  let written = 0;
  for (const [path, file] of plan.write) {
    await breathe(context, BYTES_PER_FILE);
    writeFile(context, path, file);
    report(context, "checkout", ++written, plan.write.size);
  }
  writeIndex(context, { files: plan.index, unmerged: new Map() });
}

/** What is in the way and is neither removed nor known: it would be lost without a trace. */
function obstacles(context: GitContext, plan: CheckoutPlan): string[] {
  const found: string[] = [];
  for (const path of plan.write.keys()) {
    const names = path.split("/");
    for (let length = 1; length < names.length; length++) {
      const parent = names.slice(0, length);
      const entry = entryAt(context.state, parent);
      if (entry && entry.kind !== "directory" && !plan.remove.has(parent.join("/"))) found.push(`/${parent.join("/")}`);
    }
    const there = entryAt(context.state, names);
    if (there?.kind === "directory")
      found.push(...filesIn(context, there, path).filter((file) => !plan.remove.has(file.slice(1))));
  }
  return found;
}

function filesIn(context: GitContext, entry: OverlayEntry, path: string): string[] {
  if (entry.kind !== "directory") return [`/${path}`];
  return childrenOf(context.state.nodes, entry).flatMap(([name, child]) => filesIn(context, child, `${path}/${name}`));
}

function removeFile(context: GitContext, path: string): void {
  const { state } = context;
  const names = path.split("/");
  const entry = entryAt(state, names);
  if (entry === undefined || entry.kind === "directory") return;
  removeEntry(state, names);
  // Git knows no empty directories: one that the last file of goes with it.
  for (let length = names.length - 1; length > 0; length--) {
    const parent = entryAt(state, names.slice(0, length));
    if (parent?.kind !== "directory" || childrenOf(state.nodes, parent).length > 0) return;
    removeEntry(state, names.slice(0, length));
  }
}

function writeFile(context: GitContext, path: string, file: TrackedFile): void {
  const { state } = context;
  const names = treeNames(path);
  // Nothing is written through a link, or below a file: what is in the way goes, which only `force` comes to.
  for (let length = 1; length < names.length; length++) {
    const parent = entryAt(state, names.slice(0, length));
    if (parent && parent.kind !== "directory") removeEntry(state, names.slice(0, length));
  }
  if (entryAt(state, names)?.kind === "directory" && file.mode !== SUBMODULE) removeEntry(state, names);
  if (file.mode === SUBMODULE) {
    if (entryAt(state, names) === undefined) putEntry(state, names, newDirectory(state));
    return;
  }
  const blob = readBlobBytes(context, file.oid);
  putEntry(
    state,
    names,
    file.mode === 0o120000 ? linkEntry(context, path, blob) : fileEntry(context, path, file, blob),
  );
}

function linkEntry(context: GitContext, path: string, blob: Uint8Array): OverlayEntry {
  let target;
  try {
    target = decoder.decode(blob);
    checkTarget(`/${path}`, target);
  } catch {
    throw new TenrecError("git-refused", { what: `the link ${quote(path)}`, reason: "its target is no path" });
  }
  // Where it would lead on any disk: `a/../.git` and `.GIT` too.
  if (target.split(/[/\\]/).some(isDotGit)) {
    throw new TenrecError("git-refused", { what: `the link ${quote(path)}`, reason: "it leads into `.git`" });
  }
  return { kind: "symlink", target, mtime: context.state.now() };
}

function fileEntry(context: GitContext, path: string, { mode, oid }: TrackedFile, blob: Uint8Array): OverlayEntry {
  const { state } = context;
  const size = blob.length;
  if (size > state.maxFileBytes) throw new TenrecError("EFBIG", { path: `/${path}`, size, limit: state.maxFileBytes });
  // A copy, whatever it is a view of: a Buffer's own slice would not be one.
  const bytes = new Uint8Array(blob);
  const hash = sha256(bytes);
  rememberId(context, hash, oid);
  return { kind: "file", fresh: true, mode: mode & 0o777, mtime: state.now(), size, bytes, hash };
}
