import { TenrecError } from "@tenrec/protocol";
import type { SqlLike } from "@tenrec/vfs";
import { MOST_LINKS } from "./preview-token.ts";

/** How long a link is good after it was asked for, in milliseconds. */
const GOOD_MS = 14 * 24 * 3600 * 1000;

/** A link that is good for less than this is made good for longer when it is asked for again. */
const RENEWED_MS = GOOD_MS / 2;

/** What a link shows. */
export interface LinkTarget {
  readonly session: string;
  /** The turn after which its files are shown, and their tree; undefined for the newest files. */
  readonly frozen?: { readonly turn: number; readonly tree: string };
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

  /** The same link each time, until it was revoked or has expired. */
  open({ session, frozen }: LinkTarget): PreviewLink {
    const now = this.#now();
    const turn = frozen?.turn ?? 0;
    this.#sql.exec(
      "DELETE FROM tenrec_preview_links WHERE session = ? AND turn = ? AND expires <= ?",
      session,
      turn,
      now,
    );
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

  /** What the links of a session lead to, also those that have expired. */
  targets(session: string): LinkTarget[] {
    const rows = this.#sql.exec<Row>("SELECT * FROM tenrec_preview_links WHERE session = ?", session).toArray();
    return rows.map(targetOf);
  }

  /** Of a turn, or, without one, all of a session. Returns which links are no more. */
  revoke(session: string, turn?: number): number[] {
    return this.#sql
      .exec<Row>(
        "DELETE FROM tenrec_preview_links WHERE session = ? AND (? IS NULL OR turn = ?) RETURNING *",
        session,
        turn ?? null,
        turn ?? null,
      )
      .toArray()
      .map(({ id }) => id);
  }
}

function targetOf({ session, turn, tree }: Row): LinkTarget {
  return { session, ...(tree === null ? {} : { frozen: { turn, tree } }) };
}
