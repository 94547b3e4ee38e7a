import type { ObjectAddress } from "../inside/gateway-binding.ts";

/** An alarm that is due. */
export interface DueAlarm {
  readonly session: string;
  readonly address: ObjectAddress;
  /** When it was to ring, in milliseconds since the epoch. */
  readonly time: number;
  /** How many times it failed. */
  readonly retries: number;
}

interface Row extends Record<string, SqlStorageValue> {
  session: string;
  address: string;
  time: number;
  retries: number;
}

const TABLE = `CREATE TABLE IF NOT EXISTS tenrec_preview_alarms (session TEXT, address TEXT, time INTEGER, retries INTEGER,
  PRIMARY KEY (session, address)) WITHOUT ROWID`;
const INDEX = "CREATE INDEX IF NOT EXISTS tenrec_preview_alarms_time ON tenrec_preview_alarms (time)";

/** Those that do not ring, whose marks are the parameter. */
const WAITING = "session || char(10) || address NOT IN (SELECT value FROM json_each(?))";

/** As the platform does it: six times again, the first two seconds after it failed, each later one after twice as long. */
const MOST_RETRIES = 6;
const FIRST_RETRY_MS = 2000;

/** After which time an alarm is tried again whose app cannot run: at once, it would be asked for again and again. */
const BROKEN_MS = 60_000;

/** While alarms ring, the object is woken after this time: it may have died. */
const LOOK_AGAIN_MS = 30_000;

/** An alarm that rings. */
interface Ringing {
  /** Whether the app has set or deleted it meanwhile: what comes of the handler does not count any more. */
  isReplaced: boolean;
}

/** The alarms of the Durable Objects of all apps of an object, which has one alarm itself. */
export class Alarms {
  readonly #sql: SqlStorage;
  /** Milliseconds since the epoch. */
  readonly #now: () => number;
  readonly #ringing = new Map<string, Ringing>();

  constructor(sql: SqlStorage, now: () => number) {
    this.#sql = sql;
    this.#now = now;
    sql.exec(TABLE);
    sql.exec(INDEX);
  }

  /** `time` in milliseconds since the epoch; null for none. */
  set(session: string, address: ObjectAddress, time: number | null): void {
    const key = keyOf(address);
    if (time === null) this.#delete(session, key);
    else {
      const query =
        "INSERT OR REPLACE INTO tenrec_preview_alarms (session, address, time, retries) VALUES (?, ?, ?, 0)";
      this.#sql.exec(query, session, key, time);
    }
    const ringing = this.#ringing.get(markOf(session, key));
    if (ringing) ringing.isReplaced = true;
  }

  /** Null while the handler runs, as the platform has it. */
  get(session: string, address: ObjectAddress): number | null {
    const key = keyOf(address);
    if (this.#ringing.get(markOf(session, key))?.isReplaced === false) return null;
    const query = "SELECT time FROM tenrec_preview_alarms WHERE session = ? AND address = ?";
    return this.#sql.exec<{ time: number }>(query, session, key).toArray()[0]?.time ?? null;
  }

  /** When the object is to be woken for alarms; undefined for never. */
  next(): number | undefined {
    const first = this.#first(WAITING, this.#marks());
    if (this.#ringing.size === 0) return first;
    return Math.min(first ?? Infinity, this.#now() + LOOK_AGAIN_MS);
  }

  /** When the first one is due of those that are not yet; undefined for none. */
  later(): number | undefined {
    return this.#first("time > ?", this.#now());
  }

  /** Of those that are due and do not ring, the one that has waited longest; undefined for none. None of the sessions `busy`. */
  due(busy: readonly string[]): DueAlarm | undefined {
    const query = `SELECT * FROM tenrec_preview_alarms WHERE time <= ? AND ${WAITING}
      AND session NOT IN (SELECT value FROM json_each(?)) ORDER BY time LIMIT 1`;
    const [row] = this.#sql.exec<Row>(query, this.#now(), this.#marks(), JSON.stringify(busy)).toArray();
    return row && { ...row, address: JSON.parse(row.address) as ObjectAddress };
  }

  /**
   * Runs the handler that `find` finds for an alarm; where it finds none, or throws, the alarm is tried again later. It counts
   * as failed until the handler has returned: a crash makes it run again. Never throws.
   */
  async ring(due: DueAlarm, find: () => Promise<(() => Promise<void>) | undefined>): Promise<void> {
    const mark = markOf(due.session, keyOf(due.address));
    const ringing: Ringing = { isReplaced: false };
    this.#ringing.set(mark, ringing);
    try {
      const handler = await find().catch(() => undefined);
      // By its app, while that was built: it is due at another time now.
      if (ringing.isReplaced) return;
      if (handler) await this.#run(due, ringing, handler);
      else this.#put(due, BROKEN_MS, due.retries);
    } finally {
      this.#ringing.delete(mark);
    }
  }

  async #run(due: DueAlarm, ringing: Ringing, handler: () => Promise<void>): Promise<void> {
    const { session, retries } = due;
    const fail = (): void => {
      if (retries < MOST_RETRIES) this.#put(due, FIRST_RETRY_MS * 2 ** retries, retries + 1);
      else this.#delete(session, keyOf(due.address));
    };
    fail();
    const isDone = await handler().then(
      () => true,
      () => false,
    );
    if (ringing.isReplaced) return;
    if (isDone) this.#delete(session, keyOf(due.address));
    else fail();
  }

  remove(session: string): void {
    this.#sql.exec("DELETE FROM tenrec_preview_alarms WHERE session = ?", session);
  }

  #first(where: string, value: SqlStorageValue): number | undefined {
    const query = `SELECT min(time) AS time FROM tenrec_preview_alarms WHERE ${where}`;
    return this.#sql.exec<{ time: number | null }>(query, value).one().time ?? undefined;
  }

  #marks(): string {
    return JSON.stringify([...this.#ringing.keys()]);
  }

  #delete(session: string, key: string): void {
    this.#sql.exec("DELETE FROM tenrec_preview_alarms WHERE session = ? AND address = ?", session, key);
  }

  /** Makes an alarm due after so many milliseconds, unless it is no more, since its session is not. */
  #put({ session, address }: DueAlarm, ms: number, retries: number): void {
    const query = "UPDATE tenrec_preview_alarms SET time = ?, retries = ? WHERE session = ? AND address = ?";
    this.#sql.exec(query, this.#now() + ms, retries, session, keyOf(address));
  }
}

function keyOf({ className, id, name }: ObjectAddress): string {
  return JSON.stringify({ className, id, ...(name === undefined ? {} : { name }) });
}

function markOf(session: string, key: string): string {
  return `${session}\n${key}`;
}
