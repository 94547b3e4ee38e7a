import { DurableObject } from "cloudflare:workers";
import { D1Database, type Migration } from "./d1-database.ts";
import { KvTable } from "./kv-table.ts";
import { R2Table } from "./r2-table.ts";
import { R2Uploads } from "./r2-uploads.ts";
import type { StorageKind } from "./storage-kind.ts";

type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

/**
 * The data of one KV, D1 or R2 binding of a previewed app, as a facet of the object that hosts the preview: with a database
 * of its own, which SQL of the app cannot leave. It runs in an isolate of its own, so that a statement without an end stops
 * neither the agent nor the app's other bindings for good.
 */
export class PreviewStorage extends DurableObject {
  #methods: Methods | undefined;

  /** Calls a method of the binding. A storage is of the kind that it was first used as. */
  async run(kind: StorageKind, method: string, args: readonly unknown[]): Promise<unknown> {
    this.#methods ??= methodsOf(kind, this.ctx.storage);
    const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (!run) throw new TypeError(`${kind} has no ${method}`);
    return run(...(args as never[]));
  }

  async migrate(migrations: readonly Migration[]): Promise<string[]> {
    return new D1Database(this.ctx.storage).migrate(migrations);
  }
}

function methodsOf(kind: StorageKind, storage: DurableObjectStorage): Methods {
  switch (kind) {
    case "kv": {
      const table = new KvTable(storage, () => Math.floor(Date.now() / 1000));
      return {
        get: (key: string) => table.get(key),
        put: (...args: Parameters<KvTable["put"]>) => table.put(...args),
        delete: (keys: string[]) => table.delete(keys),
        list: (...args: Parameters<KvTable["list"]>) => table.list(...args),
      };
    }
    case "d1": {
      const database = new D1Database(storage);
      return {
        batch: (...args: Parameters<D1Database["batch"]>) => database.batch(...args),
        exec: (sql: string) => database.exec(sql),
      };
    }
    case "r2": {
      const table = new R2Table(storage, () => Date.now());
      const uploads = new R2Uploads(storage, table);
      return {
        head: (key: string) => table.head(key),
        get: (...args: Parameters<R2Table["get"]>) => table.get(...args),
        put: (...args: Parameters<R2Table["put"]>) => table.put(...args),
        delete: (keys: string[]) => table.delete(keys),
        list: (...args: Parameters<R2Table["list"]>) => table.list(...args),
        createUpload: (...args: Parameters<R2Uploads["create"]>) => uploads.create(...args),
        putPart: (...args: Parameters<R2Uploads["put"]>) => uploads.put(...args),
        completeUpload: (...args: Parameters<R2Uploads["complete"]>) => uploads.complete(...args),
        abortUpload: (...args: Parameters<R2Uploads["abort"]>) => uploads.abort(...args),
      };
    }
  }
}
