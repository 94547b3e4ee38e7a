import type { ObjectAddress } from "../inside/gateway-binding.ts";
import type { StorageKind } from "../storage/storage-kind.ts";
import { putLast } from "../put-last.ts";
import type { LiveApp } from "./app-loader.ts";
import type { HostState } from "./host-exports.ts";
import { storageClass, storageWorker } from "./storage-class.ts";
import type { WorkerMeter } from "./worker-meter.ts";

/** A Durable Object of an app: whatever methods its class has. */
export interface ObjectFacet extends Fetcher {
  tenrecPreviewAlarm(info: AlarmInvocationInfo): Promise<void>;
}

interface StorageFacet {
  run(kind: StorageKind, method: string, args: readonly unknown[]): Promise<unknown>;
  migrate(migrations: readonly { readonly name: string; readonly sql: string }[]): Promise<string[]>;
}

/** Apps whose takeovers are counted; of earlier ones, no request is under way any more. */
const MOST_COUNTED = 100;

/** Why a call of an object ended that did nothing wrong itself. */
const STOPPED_BESIDE = "The app was stopped: something else in it ran without an end.";

const TABLE =
  "CREATE TABLE IF NOT EXISTS tenrec_preview_facets (session TEXT, name TEXT, PRIMARY KEY (session, name)) WITHOUT ROWID";

/**
 * What an object runs inside itself for its sessions' apps: their Durable Objects, and the data of their bindings. Both belong
 * to the session, so that they outlive an edit.
 */
export class Facets {
  readonly #ctx: HostState;
  readonly #loader: WorkerLoader;
  readonly #meter: WorkerMeter;
  /** By session; their names are hashes of much text. */
  readonly #storageWorkers = new Map<string, string>();
  /** Which app each running object is of. */
  readonly #running = new Map<string, string>();
  readonly #takeovers = new Map<string, number>();

  constructor(ctx: HostState, loader: WorkerLoader, meter: WorkerMeter) {
    this.#ctx = ctx;
    this.#loader = loader;
    this.#meter = meter;
    ctx.storage.sql.exec(TABLE);
  }

  /** A Durable Object of an app. One that runs for another version of the app is restarted: what it stored stays. */
  object(session: string, app: LiveApp, address: ObjectAddress): ObjectFacet {
    checkAddress(app, address);
    this.#meter.use(session, app.worker);
    const name = JSON.stringify(["object", session, address.className, address.id]);
    const running = this.#running.get(name);
    if (running !== undefined && running !== app.id) {
      putLast(this.#takeovers, running, this.takeovers(running) + 1, MOST_COUNTED);
      this.#ctx.facets.abort(name, new Error("a new version of the app took over"));
    }
    this.#running.set(name, app.id);
    this.#note(session, name);
    const start = (): { class: DurableObjectClass } => ({
      class: app.stub.getDurableObjectClass(address.className, { props: address }),
    });
    return this.#ctx.facets.get(name, start) as unknown as ObjectFacet;
  }

  /** How many times an object that ran for this app was ended, since another version of the app needed it. */
  takeovers(app: string): number {
    return this.#takeovers.get(app) ?? 0;
  }

  storage(session: string, kind: StorageKind, binding: string): StorageFacet {
    const name = JSON.stringify(["storage", session, kind, binding]);
    this.#note(session, name);
    const worker = this.#storageWorkers.get(session) ?? storageWorker(this.#ctx.id.toString(), session);
    this.#storageWorkers.set(session, worker);
    this.#meter.use(session, worker);
    const start = (): { class: DurableObjectClass } => ({ class: storageClass(this.#loader, worker) });
    return this.#ctx.facets.get(name, start) as unknown as StorageFacet;
  }

  /** Ends the objects of an app that was stopped; what they stored stays. */
  giveUp(app: string): void {
    for (const [name, running] of this.#running) {
      if (running !== app) continue;
      this.#running.delete(name);
      this.#ctx.facets.abort(name, new Error(STOPPED_BESIDE));
    }
  }

  /** Deletes all that the apps of a session stored. */
  remove(session: string): void {
    const { sql } = this.#ctx.storage;
    const query = "SELECT name FROM tenrec_preview_facets WHERE session = ?";
    for (const { name } of sql.exec<{ name: string }>(query, session).toArray()) {
      this.#ctx.facets.delete(name);
      this.#running.delete(name);
    }
    this.#storageWorkers.delete(session);
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

/** What an app says is looked at: it may leave out the stand-in that makes addresses. */
function checkAddress({ app }: LiveApp, { className, id, name }: ObjectAddress): void {
  const isBound = app.config.durableObjects.some((binding) => binding.className === className);
  if (!isBound) throw new TypeError(`There is no binding to a class ${String(className).slice(0, 100)}`);
  const isName = name === undefined || (typeof name === "string" && name.length <= MOST_NAME);
  if (!isName || !/^[0-9a-f]{64}$/.test(String(id))) throw new TypeError("Invalid Durable Object ID");
}

const MOST_NAME = 1024;
