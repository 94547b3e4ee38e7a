const DATE = "2026-10-01";

/** A configuration with `main` in `src/index.ts`, and what is given besides. */
export function wrangler(more: object = {}): object {
  return { name: "app", main: "src/index.ts", compatibility_date: DATE, ...more };
}
