import { RpcTarget } from "cloudflare:workers";
import type { StorageKind } from "../storage/storage-kind.ts";
import type { ProjectConfig } from "../config/project-config.ts";
import type { GatewayBinding, ObjectAddress } from "../inside/gateway-binding.ts";
import type { TraceRecord } from "../report/trace-record.ts";
import type { Facets } from "./facets.ts";
import type { LiveApp } from "./app-loader.ts";

/** What a door leads to; all of it is of one session and one app. */
export interface DoorOptions {
  readonly session: string;
  readonly facets: Facets;
  /** The app that asks. Throws when it has been let go meanwhile. */
  readonly app: () => LiveApp;
  /** Brings the database of a binding up to date with the migrations of the app. */
  readonly migrate: (binding: string) => Promise<void>;
  readonly setAlarm: (object: ObjectAddress, time: number | null) => Promise<void>;
  readonly getAlarm: (object: ObjectAddress) => number | null;
  /** What a call of an object has failed with. */
  readonly onError: (error: unknown) => void;
  readonly onTrace: (records: readonly TraceRecord[]) => void;
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** What an app can reach of the object that hosts it, for as long as one of its calls takes. */
export class PreviewDoor extends RpcTarget implements Omit<GatewayBinding, "fetch"> {
  readonly #options: DoorOptions;

  constructor(options: DoorOptions) {
    super();
    this.#options = options;
  }

  async storage(kind: StorageKind, binding: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const { session, facets, migrate, app } = this.#options;
    checkBinding(app().app.config, kind, binding);
    if (kind === "d1") await migrate(binding);
    return facets.storage(session, kind, binding).run(kind, method, args);
  }

  async call(object: ObjectAddress, method: string, args: readonly unknown[]): Promise<unknown> {
    // Over RPC every name is a function: which of them exist is known at the other end. `call` and `apply` would be names too.
    return this.#watched(this.#members(object, method)[method]?.(...args));
  }

  async read(object: ObjectAddress, property: string): Promise<unknown> {
    return this.#watched(this.#members(object, property)[property]);
  }

  async #watched<T>(answer: T): Promise<Awaited<T>> {
    try {
      return await answer;
    } catch (error) {
      this.#options.onError(error);
      throw error;
    }
  }

  async setAlarm(object: ObjectAddress, time: number | null): Promise<void> {
    if (time !== null && !Number.isFinite(time))
      throw new TypeError("setAlarm() cannot be called with an invalid date");
    await this.#options.setAlarm(object, time);
  }

  async getAlarm(object: ObjectAddress): Promise<number | null> {
    return this.#options.getAlarm(object);
  }

  #members(object: ObjectAddress, name: string): Record<string, Method> {
    const { session, facets, app } = this.#options;
    if (name.startsWith("tenrecPreview")) throw new TypeError(`${object.className} has no ${name}`);
    return facets.object(session, app(), object) as unknown as Record<string, Method>;
  }

  async tail(records: readonly TraceRecord[]): Promise<void> {
    this.#options.onTrace(records);
  }
}

/** What an app says is looked at: it may leave out the stand-ins. */
function checkBinding({ kv, d1, r2 }: ProjectConfig, kind: StorageKind, binding: string): void {
  const names: Readonly<Record<StorageKind, readonly string[]>> = { kv, d1: d1.map((each) => each.binding), r2 };
  if (!Object.hasOwn(names, kind) || !names[kind].includes(binding)) {
    throw new TypeError(`There is no binding ${String(binding).slice(0, 100)}`);
  }
}
