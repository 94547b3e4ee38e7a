import type { WorkerLoad } from "@tenrec/protocol";

/**
 * What the platform bills for a Dynamic Worker on each day, and for each request to it, besides CPU time:
 * https://developers.cloudflare.com/dynamic-workers/pricing/ and https://developers.cloudflare.com/workers/platform/pricing/.
 */
const USD_PER_DAY = 0.002;
const USD_PER_REQUEST = 0.3 / 1_000_000;

const DAY_MS = 86_400_000;

const TABLE =
  "CREATE TABLE IF NOT EXISTS tenrec_preview_workers (day INTEGER, worker TEXT, PRIMARY KEY (day, worker)) WITHOUT ROWID";

export interface WorkerMeterOptions {
  readonly sql: SqlStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Records a load; throws when it must not be. */
  readonly onLoad: (load: WorkerLoad) => void;
}

/** Counts the Dynamic Workers of an object, each once a day, and the requests to them. */
export class WorkerMeter {
  readonly #options: WorkerMeterOptions;
  readonly #requests = new Map<string, number>();
  /** Of one day. */
  #known: { readonly day: number; readonly workers: Set<string> } = { day: 0, workers: new Set() };

  constructor(options: WorkerMeterOptions) {
    this.#options = options;
    options.sql.exec(TABLE);
  }

  /** To be called before a request to a Dynamic Worker. Throws where it is new today and may not be loaded. */
  use(session: string, worker: string): void {
    const { sql, now, onLoad } = this.#options;
    const requests = (this.#requests.get(session) ?? 0) + 1;
    this.#requests.set(session, requests);
    const day = Math.floor(now() / DAY_MS);
    if (this.#known.day !== day) this.#known = { day, workers: new Set() };
    if (this.#known.workers.has(worker)) return;
    const query = "SELECT 1 AS found FROM tenrec_preview_workers WHERE day = ? AND worker = ?";
    if (sql.exec(query, day, worker).toArray().length === 0) {
      onLoad({ session, worker, requests, usd: USD_PER_DAY + requests * USD_PER_REQUEST });
      this.#requests.delete(session);
      sql.exec("DELETE FROM tenrec_preview_workers WHERE day < ?", day);
      sql.exec("INSERT INTO tenrec_preview_workers (day, worker) VALUES (?, ?)", day, worker);
    }
    this.#known.workers.add(worker);
  }

  /** Forgets what is not recorded yet of a session. */
  remove(session: string): void {
    this.#requests.delete(session);
  }
}
