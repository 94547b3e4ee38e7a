import type { SqlBackend, SqlParam } from "@cloudflare/shell";

/** What Cloudflare takes in one string of a row. workerd on its own takes more. */
const LIMIT = 2_000_000;

/** A Durable Object's SQL with the limit that it has where it is deployed. */
export function withRowLimit(sql: SqlStorage): SqlBackend {
  const check = (params: readonly SqlParam[]): void => {
    if (params.every((param) => typeof param !== "string" || param.length <= LIMIT)) return;
    throw new Error("string or blob too big: SQLITE_TOOBIG");
  };
  return {
    query: <T>(query: string, ...params: SqlParam[]): T[] => {
      check(params);
      return sql.exec(query, ...params).toArray() as T[];
    },
    run: (query, ...params) => {
      check(params);
      sql.exec(query, ...params);
    },
  };
}
