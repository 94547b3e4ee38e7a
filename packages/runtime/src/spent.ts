import type { DurableEventBody, Spent } from "@tenrec/protocol";
import type { SqlLike } from "@tenrec/vfs";

/** What one event adds to what a turn, a session and a workspace have spent; undefined for most. */
export function spentBy(event: DurableEventBody): Spent | undefined {
  if (event.type === "step-start") return { usd: 0, tokens: 0, steps: 1 };
  if (event.type !== "usage") return undefined;
  return { usd: event.usd ?? 0, tokens: event.inputTokens + event.outputTokens, steps: 0 };
}

export function addSpent(a: Spent, b: Spent): Spent {
  return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens, steps: a.steps + b.steps };
}

/**
 * `tenrec_spent`: one row with what all sessions of the workspace have spent, also those that were deleted. A journal that
 * is older than the table is counted once.
 */
export function createSpentSchema(sql: SqlLike): void {
  const table = "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'tenrec_spent'";
  if (sql.exec<{ found: number }>(table).toArray().length > 0) return;
  sql.exec(
    "CREATE TABLE tenrec_spent (id INTEGER PRIMARY KEY, usd REAL NOT NULL, tokens INTEGER NOT NULL, steps INTEGER NOT NULL)",
  );
  sql.exec(`INSERT INTO tenrec_spent SELECT 1,
    coalesce(sum(json_extract(body, '$.usd')) FILTER (WHERE json_extract(body, '$.type') = 'usage'), 0),
    coalesce(sum(json_extract(body, '$.inputTokens') + json_extract(body, '$.outputTokens')), 0),
    count(*) FILTER (WHERE json_extract(body, '$.type') = 'step-start')
    FROM tenrec_events WHERE parts = 1 AND json_extract(body, '$.type') IN ('usage', 'step-start')`);
}

export function readSpent(sql: SqlLike): Spent {
  const [row] = sql
    .exec<{ usd: number; tokens: number; steps: number }>("SELECT usd, tokens, steps FROM tenrec_spent")
    .toArray();
  return row ?? { usd: 0, tokens: 0, steps: 0 };
}

/** To be called in the transaction that stores the events. */
export function countSpent(sql: SqlLike, events: readonly DurableEventBody[]): void {
  const added = events.flatMap((event) => spentBy(event) ?? []);
  if (added.length === 0) return;
  const { usd, tokens, steps } = added.reduce(addSpent);
  const update = "UPDATE tenrec_spent SET usd = usd + ?, tokens = tokens + ?, steps = steps + ?";
  sql.exec(update, usd, tokens, steps);
}
