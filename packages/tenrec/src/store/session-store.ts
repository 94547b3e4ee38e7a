import { chmod, link, mkdir, readdir, readFile, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, TenrecError } from "@tenrec/protocol";
import { writeWholeFile } from "../folder/write-whole-file.ts";
import { temporaryPath } from "../folder/write-entry.ts";
import { AmbiguousSessionError } from "./ambiguous-session-error.ts";
import { withFileLock } from "./file-lock.ts";
import { checkSessionId, isSessionId, parseRecord, recordText, type SessionRecord } from "./session-record.ts";

const SUFFIX = ".json";

export type NewSession = Omit<SessionRecord, "createdAt" | "updatedAt">;
export type SessionChange = Partial<Omit<NewSession, "id">>;

/** A file that is no record that this version can read. */
export interface UnreadableSession {
  readonly id: string;
  readonly file: string;
  /** Completes "cannot be read: …". */
  readonly reason: string;
}

export interface SessionList {
  /** The one that was updated last comes first. */
  readonly sessions: readonly SessionRecord[];
  readonly unreadable: readonly UnreadableSession[];
}

/**
 * The sessions that this machine knows of. Several processes can use it at once. An id may be shortened to a beginning that
 * no other session has: otherwise `AmbiguousSessionError`, and `session-not-found` when there is none. A file that cannot be
 * read as a record is `EIO` with the reason; `remove` takes it too.
 */
export interface SessionStore {
  /** `EEXIST` for an id that is taken, `EINVAL` for one that cannot be. */
  create(session: NewSession): Promise<SessionRecord>;
  get(id: string): Promise<SessionRecord>;
  list(): Promise<SessionList>;
  update(id: string, change: SessionChange): Promise<SessionRecord>;
  /** Resolves with the whole id. */
  remove(id: string): Promise<string>;
}

/** Keeps its records in `<folder>/sessions`, which is made when it is first written to. */
export function openSessionStore(folder: string, { now }: { readonly now: () => number }): SessionStore {
  const sessions = join(folder, "sessions");
  return {
    create: (session) => create(sessions, session, now()),
    async get(id) {
      return (await read(sessions, await wholeId(sessions, id))).record;
    },
    list: () => list(sessions),
    update: (id, change) => update(sessions, id, change, now),
    async remove(prefix) {
      const id = await wholeId(sessions, prefix);
      await withFileLock(lockOf(sessions, id), () => unlink(fileOf(sessions, id))).catch((error: unknown) => {
        throw hasCode(error, "ENOENT") ? new TenrecError("session-not-found", { session: id }) : error;
      });
      return id;
    },
  };
}

async function create(sessions: string, session: NewSession, at: number): Promise<SessionRecord> {
  checkSessionId(session.id);
  const record: SessionRecord = { ...session, createdAt: at, updatedAt: at };
  await mkdir(sessions, { recursive: true, mode: 0o700 });
  // Made by hand or by an older program, it may be open to others.
  await Promise.all([sessions, dirname(sessions)].map((folder) => chmod(folder, 0o700)));
  const file = fileOf(sessions, session.id);
  const temporary = temporaryPath(file);
  try {
    await writeWholeFile(temporary, recordText(record), 0o600);
    await link(temporary, file);
  } catch (error) {
    throw hasCode(error, "EEXIST") ? new TenrecError("EEXIST", { path: file }) : error;
  } finally {
    await unlink(temporary).catch(() => {});
  }
  return record;
}

async function update(
  sessions: string,
  prefix: string,
  { dir, title, model, base }: SessionChange,
  now: () => number,
): Promise<SessionRecord> {
  const id = await wholeId(sessions, prefix);
  return withFileLock(lockOf(sessions, id), async () => {
    const { record, value } = await read(sessions, id);
    const changed: SessionRecord = {
      ...record,
      updatedAt: now(),
      ...(dir === undefined ? {} : { dir }),
      ...(title === undefined ? {} : { title }),
      ...(model === undefined ? {} : { model }),
      ...(base === undefined ? {} : { base }),
    };
    await writeWholeFile(fileOf(sessions, id), recordText(changed, value), 0o600);
    return changed;
  });
}

async function read(sessions: string, id: string): Promise<{ record: SessionRecord; value: object }> {
  const file = fileOf(sessions, id);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw hasCode(error, "ENOENT") ? new TenrecError("session-not-found", { session: id }) : error;
  });
  const record = parseRecord(text, id);
  if ("reason" in record) throw new TenrecError("EIO", { path: file, reason: record.reason });
  return { record, value: JSON.parse(text) as object };
}

async function list(sessions: string): Promise<SessionList> {
  const records: SessionRecord[] = [];
  const unreadable: UnreadableSession[] = [];
  for (const id of await idsOf(sessions)) {
    try {
      records.push((await read(sessions, id)).record);
    } catch (error) {
      // Removed since its name was read.
      if (hasCode(error, "session-not-found")) continue;
      const reason = hasCode(error, "EIO") ? error.data.reason : (error as Error).message;
      unreadable.push({ id, file: fileOf(sessions, id), reason });
    }
  }
  return { sessions: records.sort((a, b) => b.updatedAt - a.updatedAt), unreadable };
}

async function wholeId(sessions: string, prefix: string): Promise<string> {
  checkSessionId(prefix);
  const candidates = (await idsOf(sessions)).filter((id) => id.startsWith(prefix));
  if (candidates.includes(prefix)) return prefix;
  const [first, ...others] = candidates;
  if (first === undefined) throw new TenrecError("session-not-found", { session: prefix });
  if (others.length > 0) throw new AmbiguousSessionError(prefix, candidates);
  return first;
}

/** Sorted. None when the folder is not there yet. */
async function idsOf(sessions: string): Promise<string[]> {
  const names = await readdir(sessions).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  return ids.filter(isSessionId).sort();
}

function fileOf(sessions: string, id: string): string {
  return join(sessions, `${id}${SUFFIX}`);
}

function lockOf(sessions: string, id: string): string {
  return join(sessions, `${id}.lock`);
}
