import type { FileDiff } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";
import { unpackTar } from "@tenrec/vfs/folder";
import { applyChanges, type FileOutcome } from "../folder/apply-changes.ts";
import { type Base, baseOf, isSameEntry } from "../folder/base.ts";
import { writePatch } from "../folder/write-patch.ts";

export interface TakeOptions {
  /** The folder, and what of it the session began with or was given back. */
  readonly dir: string;
  readonly base: Base;
  readonly apply: boolean;
  /** A path, or `-`. */
  readonly patch: string | undefined;
  readonly stdout: NodeJS.WritableStream;
  readonly warn: (text: string) => void;
}

export interface Taken {
  readonly applied: readonly FileOutcome[] | undefined;
  readonly patch: string | undefined;
  /** The base for the next time: what was applied is on disk now. */
  readonly base: Base;
}

/** What the session has otherwise than the folder had: what applying would change. */
export interface Changes {
  readonly diffs: readonly FileDiff[];
  /** The session's tree. */
  readonly after: Base;
}

export async function readChanges(session: SessionClient, base: Base): Promise<Changes> {
  const diffs = await session.files.diff();
  if (diffs.length === 0) return { diffs, after: base };
  const after = await baseOf(unpackTar(await session.files.export()));
  const isLeft = ({ path, from = path }: FileDiff): boolean =>
    isChanged(path, base, after) || isChanged(from, base, after);
  return { diffs: diffs.filter(isLeft), after };
}

/** Applies the changes, or writes them down, or neither. */
export async function takeChanges(session: SessionClient, changes: Changes, options: TakeOptions): Promise<Taken> {
  const { dir, base, apply, patch, stdout, warn } = options;
  const { diffs, after } = changes;
  if (patch !== undefined) {
    const { leftOut } = await writePatch(patch, diffs, { stdout });
    for (const { path, reason } of leftOut)
      warn(`Not in the patch: ${path.slice(1)}: ${reason}. Take it with --apply.`);
  }
  if (!apply) return { applied: undefined, patch, base };
  const { files } = await applyChanges({ dir, base, entries: await session.files.export() });
  return { applied: files, patch, base: advanced(base, after, files) };
}

function isChanged(path: string, base: Base, after: Base): boolean {
  const [before, now] = [entryOf(base, path), entryOf(after, path)];
  return before && now ? !isSameEntry(before, now) : before !== now;
}

function entryOf({ entries }: Base, path: string): Base["entries"][string] | undefined {
  return Object.hasOwn(entries, path) ? entries[path] : undefined;
}

/** The base with what is on disk now as the session has it. */
function advanced(base: Base, after: Base, files: readonly FileOutcome[]): Base {
  const entries = new Map(Object.entries(base.entries));
  for (const { path, status } of files) {
    if (status === "refused") continue;
    const now = entryOf(after, path);
    if (now) entries.set(path, now);
    else entries.delete(path);
  }
  return { entries: Object.fromEntries(entries) };
}
