import type { DurableEvent, FileDiff, FileSystemEntryType } from "@tenrec/protocol";
import { isBinary, TenrecError } from "@tenrec/protocol";
import { NATIVE_ENGINE } from "./native-engine.ts";
import { treeOf, type Workspace } from "./workspace.ts";

/** Largest file that is shown as text; larger ones are exported. In bytes. */
const MAX_SHOWN_BYTES = 1024 * 1024;

export interface FileInfo {
  readonly path: string;
  readonly kind: FileSystemEntryType;
  readonly size: number;
}

export interface FileText {
  readonly path: string;
  readonly binary: boolean;
  /** Empty for a binary file. */
  readonly text: string;
  readonly size: number;
}

/** Every file and link of the session's tree, sorted by path. */
export function listFiles(workspace: Workspace, session: string): FileInfo[] {
  return workspace.trees
    .manifest(treeOf(workspace, session))
    .filter(({ kind }) => kind !== "directory")
    .map(({ path, kind, size }) => ({ path, kind, size }));
}

/** A file as text. Throws `EFBIG` above 1 MiB. */
export async function readTextFile(workspace: Workspace, session: string, path: string): Promise<FileText> {
  const overlay = workspace.trees.overlay(treeOf(workspace, session));
  const { size } = await overlay.stat(path);
  if (size > MAX_SHOWN_BYTES) throw new TenrecError("EFBIG", { path, size, limit: MAX_SHOWN_BYTES });
  const bytes = await overlay.readFileBytes(path);
  const binary = isBinary(bytes);
  return { path, binary, text: binary ? "" : new TextDecoder().decode(bytes), size };
}

/**
 * What a turn changed; without a turn, what the session changed since its first turn began. Files that only others
 * changed meanwhile, in sessions that share the tree, are left out.
 */
export async function diffSession(workspace: Workspace, session: string, turn?: number): Promise<FileDiff[]> {
  const events = workspace.journal.events(session);
  const start = events.find((e) => e.type === "turn-start" && e.turn === (turn ?? 1));
  if (start?.type !== "turn-start") {
    if (turn === undefined) return [];
    throw new TenrecError("request-invalid", { reason: `session ${session} has no turn ${turn}` });
  }
  const end = turn === undefined ? undefined : events.find((e) => e.type === "turn-end" && e.turn === turn);
  const after = end?.type === "turn-end" ? end.tree : treeOf(workspace, session);
  const isOwn = (e: DurableEvent): boolean => turn === undefined || ("turn" in e && e.turn === turn);
  const changed = events.flatMap((e) => (e.type === "file-change" && isOwn(e) ? [e.path] : []));
  const paths = new Set(changed);
  // Other engines do not report every change that they make.
  const options = start.engine === NATIVE_ENGINE ? { includes: (path: string) => paths.has(path) } : {};
  return workspace.trees.diff(start.tree, after, options);
}
