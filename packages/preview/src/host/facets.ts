import type { ObjectAddress } from "../inside/gateway-binding.ts";
import type { StorageKind } from "../bindings/preview-storage.ts";
import type { LiveApp } from "./app-loader.ts";
import { hostExports } from "./host-exports.ts";

/** A Durable Object of an app: whatever methods its class has. */
export interface ObjectFacet extends Fetcher {
  tenrecPreviewAlarm(info: AlarmInvocationInfo): Promise<void>;
}

interface StorageFacet {
  run(kind: StorageKind, method: string, args: readonly unknown[]): Promise<unknown>;
  migrate(migrations: readonly { readonly name: string; readonly sql: string }[]): Promise<string[]>;
}

const TABLE =
  "CREATE TABLE IF NOT EXISTS tenrec_preview_facets (session TEXT, name TEXT, PRIMARY KEY (session, name)) WITHOUT ROWID";

/**
 * What an object runs inside itself for its sessions' apps: their Durable Objects, and the data of their bindings. Both belong
 * to the session, so that they outlive an edit.
 */
export class Facets {
  readonly #ctx: DurableObjectState;
  /** Which app each running object is of. */
  readonly #running = new Map<string, string>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.storage.sql.exec(TABLE);
  }

  /** A Durable Object of an app. One that runs for another version of the app is restarted: what it stored stays. */
  object(session: string, app: LiveApp, address: ObjectAddress): ObjectFacet {
    const name = JSON.stringify(["object", session, address.className, address.id]);
    const running = this.#running.get(name);
    if (running !== undefined && running !== app.id) {
      this.#ctx.facets.abort(name, new Error("The app was changed: a new version of it took over."));
    }
    this.#running.set(name, app.id);
    this.#note(session, name);
    const start = (): { class: DurableObjectClass } => ({
      class: app.stub.getDurableObjectClass(address.className, { props: address }),
    });
    return this.#ctx.facets.get(name, start) as unknown as ObjectFacet;
  }

  storage(session: string, kind: StorageKind, binding: string): StorageFacet {
    const name = JSON.stringify(["storage", session, kind, binding]);
    this.#note(session, name);
    const start = (): { class: DurableObjectClass } => ({ class: hostExports(this.#ctx).PreviewStorage });
    return this.#ctx.facets.get(name, start) as unknown as StorageFacet;
  }

  /** Deletes all that the apps of a session stored. */
  remove(session: string): void {
    const { sql } = this.#ctx.storage;
    const query = "SELECT name FROM tenrec_preview_facets WHERE session = ?";
    for (const { name } of sql.exec<{ name: string }>(query, session).toArray()) {
      this.#ctx.facets.delete(name);
      this.#running.delete(name);
    }
    sql.exec("DELETE FROM tenrec_preview_facets WHERE session = ?", session);
  }

  #note(session: string, name: string): void {
    this.#ctx.storage.sql.exec(
      "INSERT OR IGNORE INTO tenrec_preview_facets (session, name) VALUES (?, ?)",
      session,
      name,
    );
  }
}
