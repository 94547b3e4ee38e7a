import type { DurableEventBody, Spent } from "@tenrec/protocol";
import type { SqlLike } from "@tenrec/vfs";
import { NOTHING_SPENT } from "./session-state.ts";

/** What one event adds to what a turn, a session and a workspace have spent; undefined for most. */
export function spentBy(event: DurableEventBody): Spent | undefined {
  if (event.type === "step-start") return { usd: 0, tokens: 0, steps: 1 };
  if (event.type === "worker-usage") return { usd: event.usd, tokens: 0, steps: 0, workers: 1 };
  if (event.type !== "usage") return undefined;
  return { usd: event.usd ?? 0, tokens: event.inputTokens + event.outputTokens, steps: 0 };
}

export function addSpent(a: Spent, b: Spent): Spent {
  const workers = (a.workers ?? 0) + (b.workers ?? 0);
  return {
    usd: a.usd + b.usd,
    tokens: a.tokens + b.tokens,
    steps: a.steps + b.steps,
    ...(workers > 0 ? { workers } : {}),
  };
}

/**
 * `tenrec_spent`: one row with what all sessions of the workspace have spent, also those that were deleted. A journal that
 * is older than the table is counted once.
 */
export function createSpentSchema(sql: SqlLike): void {
  const table = "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'tenrec_spent'";
  if (sql.exec<{ found: number }>(table).toArray().length > 0) return addWorkers(sql);
  sql.exec(
    "CREATE TABLE tenrec_spent (id INTEGER PRIMARY KEY, usd REAL NOT NULL, tokens INTEGER NOT NULL, steps INTEGER NOT NULL)",
  );
  sql.exec(`INSERT INTO tenrec_spent SELECT 1,
    coalesce(sum(json_extract(body, '$.usd')) FILTER (WHERE json_extract(body, '$.type') = 'usage'), 0),
    coalesce(sum(json_extract(body, '$.inputTokens') + json_extract(body, '$.outputTokens')), 0),
    count(*) FILTER (WHERE json_extract(body, '$.type') = 'step-start')
    FROM tenrec_events WHERE parts = 1 AND json_extract(body, '$.type') IN ('usage', 'step-start')`);
  addWorkers(sql);
}

/** The table is older than this column. */
function addWorkers(sql: SqlLike): void {
  const column = "SELECT 1 AS found FROM pragma_table_info('tenrec_spent') WHERE name = 'workers'";
  if (sql.exec<{ found: number }>(column).toArray().length > 0) return;
  sql.exec("ALTER TABLE tenrec_spent ADD COLUMN workers INTEGER NOT NULL DEFAULT 0");
}

export function readSpent(sql: SqlLike): Spent {
  const [row] = sql
    .exec<{ usd: number; tokens: number; steps: number; workers: number }>(
      "SELECT usd, tokens, steps, workers FROM tenrec_spent",
    )
    .toArray();
  return addSpent(NOTHING_SPENT, row ?? NOTHING_SPENT);
}

/** To be called in the transaction that stores the events. */
export function countSpent(sql: SqlLike, events: readonly DurableEventBody[]): void {
  const added = events.flatMap((event) => spentBy(event) ?? []);
  if (added.length === 0) return;
  const { usd, tokens, steps, workers = 0 } = added.reduce(addSpent);
  const update = "UPDATE tenrec_spent SET usd = usd + ?, tokens = tokens + ?, steps = steps + ?, workers = workers + ?";
  sql.exec(update, usd, tokens, steps, workers);
}
