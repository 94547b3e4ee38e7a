/**
 * Counts what `work` writes to an object's storage, whoever writes it: rows of tables and of their indexes, entries of the
 * key-value store, and alarms, each of which is billed as one row.
 */
export async function countRows(storage: DurableObjectStorage, work: () => Promise<void>): Promise<number> {
  let rows = 0;
  const undo = [
    // A statement has written all that it writes once it has begun.
    replaceMethod(storage.sql, "exec", (exec) => (...args: Parameters<SqlStorage["exec"]>) => {
      const cursor = exec(...args);
      rows += cursor.rowsWritten;
      return cursor;
    }),
    replaceMethod(storage.kv, "put", (put) => (...args: Parameters<SyncKvStorage["put"]>) => {
      rows += 1;
      put(...args);
    }),
    replaceMethod(storage.kv, "delete", (remove) => (key: string) => {
      const existed = remove(key);
      rows += existed ? 1 : 0;
      return existed;
    }),
    replaceMethod(storage, "setAlarm", (setAlarm) => (...args: Parameters<DurableObjectStorage["setAlarm"]>) => {
      rows += 1;
      return setAlarm(...args);
    }),
    ...(["put", "delete"] as const).map((name) =>
      replaceMethod(storage, name, (method) => (...args: unknown[]) => {
        const [first] = args;
        rows += typeof first === "string" ? 1 : Object.keys(first as object).length;
        return Reflect.apply(method, storage, args) as Promise<never>;
      }),
    ),
  ];
  try {
    await work();
  } finally {
    for (const each of undo) each();
  }
  return rows;
}

type Method = (...args: never[]) => unknown;

/** On the prototype, since the platform makes new objects for the same storage. `made` gets the method, bound. */
function replaceMethod<T extends object, K extends keyof T>(
  owner: T,
  name: K,
  made: (method: T[K]) => Method,
): () => void {
  const prototype = Object.getPrototypeOf(owner) as T;
  const original = prototype[name];
  prototype[name] = function replaced(this: T, ...args: never[]): unknown {
    return made((original as Method).bind(this) as T[K])(...args);
  } as T[K];
  return () => {
    prototype[name] = original;
  };
}
