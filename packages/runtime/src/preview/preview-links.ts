import { TenrecError } from "@tenrec/protocol";
import type { SqlLike } from "@tenrec/vfs";
import { MOST_LINKS } from "./preview-token.ts";

/** How long a link is good after it was asked for, in milliseconds. */
const GOOD_MS = 14 * 24 * 3600 * 1000;

/** A link that is good for less than this is made good for longer when it is asked for again. */
const RENEWED_MS = GOOD_MS / 2;

/** A turn after which files are shown, and their tree. */
export interface Frozen {
  readonly turn: number;
  readonly tree: string;
}

/** What a link shows. */
export interface LinkTarget {
  readonly session: string;
  /** Undefined for the newest files. */
  readonly frozen?: Frozen;
}

/** A link that opens nothing any more. */
export interface GoneLink extends LinkTarget {
  readonly link: number;
}

export interface PreviewLink {
  /** Stands for no other link, ever. */
  readonly link: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

interface Row extends Record<string, SqlStorageValue> {
  id: number;
  session: string;
  turn: number;
  tree: string | null;
  expires: number;
}

// Turns count from 1: 0 is the newest. AUTOINCREMENT, so that a link that was revoked is never another one's.
const TABLE = `CREATE TABLE IF NOT EXISTS tenrec_preview_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, turn INTEGER NOT NULL, tree TEXT, expires INTEGER NOT NULL,
  UNIQUE (session, turn))`;

/** The links to previews of an object's sessions: one for the newest files of each, and one for each turn that somebody asked for. */
export class PreviewLinks {
  readonly #sql: SqlLike;
  readonly #now: () => number;

  constructor(sql: SqlLike, now: () => number) {
    sql.exec(TABLE);
    this.#sql = sql;
    this.#now = now;
  }

  /** The same link each time, until it is gone. One that is must be forgotten before. */
  open({ session, frozen }: LinkTarget): PreviewLink {
    const now = this.#now();
    const turn = frozen?.turn ?? 0;
    const [known] = this.#sql
      .exec<Row>("SELECT * FROM tenrec_preview_links WHERE session = ? AND turn = ?", session, turn)
      .toArray();
    if (known && known.expires - now > RENEWED_MS) return { link: known.id, expires: known.expires };
    const [row] = this.#sql
      .exec<Row>(
        `INSERT INTO tenrec_preview_links (session, turn, tree, expires) VALUES (?, ?, ?, ?)
         ON CONFLICT (session, turn) DO UPDATE SET expires = excluded.expires RETURNING *`,
        session,
        turn,
        frozen?.tree ?? null,
        now + GOOD_MS,
      )
      .toArray();
    if (row && row.id < MOST_LINKS) return { link: row.id, expires: row.expires };
    throw new TenrecError("unsupported", { what: `more than ${MOST_LINKS} links`, by: "one workspace" });
  }

  /** Undefined for a link that was revoked or has expired. */
  find(link: number): LinkTarget | undefined {
    const [row] = this.#sql.exec<Row>("SELECT * FROM tenrec_preview_links WHERE id = ?", link).toArray();
    if (!row || row.expires <= this.#now()) return undefined;
    return targetOf(row);
  }

  /** What the links of a session lead to. */
  targets(session: string): LinkTarget[] {
    const query = "SELECT * FROM tenrec_preview_links WHERE session = ? AND expires > ?";
    return this.#sql.exec<Row>(query, session, this.#now()).toArray().map(targetOf);
  }

  /** Of a turn, or, without one, all of a session: they are gone. Returns how many there were. */
  revoke(session: string, turn?: number): number {
    const query = `UPDATE tenrec_preview_links SET expires = 0 WHERE session = ? AND (? IS NULL OR turn = ?) AND expires > ?
      RETURNING id`;
    return this.#sql.exec(query, session, turn ?? null, turn ?? null, this.#now()).toArray().length;
  }

  /** Those that were revoked or have expired, and are not forgotten. */
  gone(): GoneLink[] {
    const rows = this.#sql.exec<Row>("SELECT * FROM tenrec_preview_links WHERE expires <= ?", this.#now()).toArray();
    return rows.map((row) => ({ link: row.id, ...targetOf(row) }));
  }

  forget(link: number): void {
    this.#sql.exec("DELETE FROM tenrec_preview_links WHERE id = ?", link);
  }

  /** When the next one expires; undefined where there is none. */
  nextExpiry(): number | undefined {
    const query = "SELECT min(expires) AS expires FROM tenrec_preview_links";
    return this.#sql.exec<{ expires: number | null }>(query).toArray()[0]?.expires ?? undefined;
  }
}

function targetOf({ session, turn, tree }: Row): LinkTarget {
  return { session, ...(tree === null ? {} : { frozen: { turn, tree } }) };
}
