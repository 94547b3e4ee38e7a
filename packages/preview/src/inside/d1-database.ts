import type { GatewayBinding } from "./gateway-binding.ts";

type Param = string | number | ArrayBuffer | null;
interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly meta: Readonly<Record<string, unknown>>;
}
interface Result {
  readonly success: true;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly results: readonly unknown[];
}

/** Stands in for `D1Database`. */
export class D1StandIn {
  readonly #gateway: GatewayBinding;
  readonly #binding: string;

  constructor(gateway: GatewayBinding, binding: string) {
    this.#gateway = gateway;
    this.#binding = binding;
  }

  prepare(sql: string): StatementStandIn {
    return new StatementStandIn((statements) => this.#run(statements), String(sql), []);
  }

  async batch(statements: readonly StatementStandIn[]): Promise<Result[]> {
    const answers = await this.#run(statements);
    return answers.map(resultOf);
  }

  async exec(sql: string): Promise<{ count: number; duration: number }> {
    try {
      return { count: (await this.#gateway.storage("d1", this.#binding, "exec", [sql])) as number, duration: 0 };
    } catch (error) {
      throw failure("D1_EXEC_ERROR: Error in line 1: ", error);
    }
  }

  /** A preview has one copy of the database, so every session sees what was written last. */
  withSession(): D1StandIn & { getBookmark(): string | null } {
    return Object.assign(new D1StandIn(this.#gateway, this.#binding), { getBookmark: () => null });
  }

  async dump(): Promise<never> {
    throw new Error("D1 dump() is not supported in a preview.");
  }

  async #run(statements: readonly StatementStandIn[]): Promise<Answer[]> {
    const list = statements.map(({ sql, params }) => ({ sql, params }));
    try {
      return (await this.#gateway.storage("d1", this.#binding, "batch", [list])) as Answer[];
    } catch (error) {
      throw failure("D1_ERROR: ", error);
    }
  }
}

type Run = (statements: readonly StatementStandIn[]) => Promise<Answer[]>;

class StatementStandIn {
  readonly #run: Run;
  readonly sql: string;
  readonly params: readonly Param[];

  constructor(run: Run, sql: string, params: readonly Param[]) {
    this.#run = run;
    this.sql = sql;
    this.params = params;
  }

  bind(...values: unknown[]): StatementStandIn {
    return new StatementStandIn(this.#run, this.sql, values.map(param));
  }

  async first(column?: string): Promise<unknown> {
    const { columns, rows } = await this.#answer();
    const [row] = rows;
    if (!row) return null;
    if (column === undefined) return object(columns, row);
    const index = columns.indexOf(column);
    if (index === -1) throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`);
    return row[index];
  }

  async all(): Promise<Result> {
    return resultOf(await this.#answer());
  }

  run(): Promise<Result> {
    return this.all();
  }

  async raw(options: { columnNames?: boolean } = {}): Promise<unknown[]> {
    const { columns, rows } = await this.#answer();
    return options.columnNames ? [[...columns], ...rows] : [...rows];
  }

  async #answer(): Promise<Answer> {
    const [answer] = await this.#run([this]);
    if (!answer) throw new Error("D1_ERROR: no answer");
    return answer;
  }
}

function resultOf({ columns, rows, meta }: Answer): Result {
  return { success: true, meta, results: rows.map((row) => object(columns, row)) };
}

function object(columns: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name, index) => [name, row[index]]));
}

function param(value: unknown): Param {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return value;
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength).slice().buffer;
  }
  if (Array.isArray(value) && value.every((byte) => typeof byte === "number")) return Uint8Array.from(value).buffer;
  // oxlint-disable-next-line typescript/no-base-to-string -- as D1 has it
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`);
}

function failure(prefix: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(reason.startsWith("D1_") ? reason : prefix + reason, { cause: new Error(reason) });
}
