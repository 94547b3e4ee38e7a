import type { ObjectAddress } from "../inside/gateway-binding.ts";

/** An alarm that is due. */
export interface DueAlarm {
  readonly session: string;
  readonly address: ObjectAddress;
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

/** As the platform does it: six times again, the first after two seconds, each later one after twice as long. */
const MOST_RETRIES = 6;
const FIRST_RETRY_MS = 2000;

/** The alarms of the Durable Objects of all apps of an object, which has one alarm itself. */
export class Alarms {
  readonly #sql: SqlStorage;
  readonly #running = new Set<string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(TABLE);
  }

  /** `time` in milliseconds since the epoch; null for none. */
  set(session: string, address: ObjectAddress, time: number | null): void {
    const key = keyOf(address);
    if (time === null)
      this.#sql.exec("DELETE FROM tenrec_preview_alarms WHERE session = ? AND address = ?", session, key);
    else this.#write(session, key, time, 0);
    // What a handler sets while it runs is a new alarm.
    this.#running.delete(`${session}\n${key}`);
  }

  /** Null while the handler runs, as the platform has it. */
  get(session: string, address: ObjectAddress): number | null {
    const key = keyOf(address);
    if (this.#running.has(`${session}\n${key}`)) return null;
    const query = "SELECT time FROM tenrec_preview_alarms WHERE session = ? AND address = ?";
    return this.#sql.exec<{ time: number }>(query, session, key).toArray()[0]?.time ?? null;
  }

  /** When the next one is due; undefined for none. */
  next(): number | undefined {
    const query = "SELECT min(time) AS time FROM tenrec_preview_alarms";
    return this.#sql.exec<{ time: number | null }>(query).one().time ?? undefined;
  }

  /** Sessions with an alarm that is due. */
  due(now: number): DueAlarm[] {
    const query = "SELECT * FROM tenrec_preview_alarms WHERE time <= ? ORDER BY time";
    return this.#sql
      .exec<Row>(query, now)
      .toArray()
      .map(({ session, address, retries }) => ({ session, address: JSON.parse(address) as ObjectAddress, retries }));
  }

  /** Runs the handler of an alarm, which counts as failed until it has returned: a crash makes it run again. */
  async run({ session, address, retries }: DueAlarm, now: number, handler: () => Promise<void>): Promise<void> {
    const key = keyOf(address);
    const mark = `${session}\n${key}`;
    if (retries < MOST_RETRIES) this.#write(session, key, now + FIRST_RETRY_MS * 2 ** retries, retries + 1);
    else this.set(session, address, null);
    this.#running.add(mark);
    try {
      await handler();
      if (this.#running.has(mark)) this.set(session, address, null);
    } finally {
      this.#running.delete(mark);
    }
  }

  /** Makes an alarm due later, without its handler having been tried. `time` in milliseconds since the epoch. */
  postpone({ session, address, retries }: DueAlarm, time: number): void {
    this.#write(session, keyOf(address), time, retries);
  }

  remove(session: string): void {
    this.#sql.exec("DELETE FROM tenrec_preview_alarms WHERE session = ?", session);
  }

  #write(session: string, key: string, time: number, retries: number): void {
    const query = "INSERT OR REPLACE INTO tenrec_preview_alarms (session, address, time, retries) VALUES (?, ?, ?, ?)";
    this.#sql.exec(query, session, key, time, retries);
  }
}

function keyOf({ className, id, name }: ObjectAddress): string {
  return JSON.stringify({ className, id, ...(name === undefined ? {} : { name }) });
}
