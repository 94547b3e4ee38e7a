import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "@tenrec/protocol";
import { sessionFolder } from "../run/session-place.ts";
import type { SessionStore } from "../store/session-store.ts";

/** A run writes its session's record when the folder is copied; that takes less. In milliseconds. */
const AGE_MS = 3_600_000;

/** Removes the folders of runs that were killed before their session had a record. */
export async function removeOrphans(data: string, store: SessionStore, now: number): Promise<void> {
  const { sessions, unreadable } = await store.list();
  const kept = new Set([...sessions, ...unreadable].map(({ id }) => id));
  const folders = await readdir(join(data, "state")).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  for (const id of folders.filter((name) => !kept.has(name))) {
    const folder = sessionFolder(data, id);
    if (now - (await stat(folder)).mtimeMs > AGE_MS) await rm(folder, { recursive: true, force: true });
  }
}
