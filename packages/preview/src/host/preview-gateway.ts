import { TenrecError } from "@tenrec/protocol";
import { WorkerEntrypoint } from "cloudflare:workers";
import type { GatewayBinding, ObjectAddress } from "../inside/gateway-binding.ts";
import { traceRecords } from "../report/trace-record.ts";
import type { StorageKind } from "../storage/storage-kind.ts";
import { toHost } from "./gateway-request.ts";
import type { GatewayProps, PreviewObject } from "./host-exports.ts";
import type { PreviewDoor } from "./preview-door.ts";

type Bindings = Readonly<Record<string, DurableObjectNamespace | undefined>>;

/** The only way from an app to the object that hosts it. A Worker exports it beside its agent. */
export class PreviewGateway extends WorkerEntrypoint<Bindings, GatewayProps> implements GatewayBinding {
  override fetch(request: Request): Promise<Response> {
    const { session, app, outbound } = this.ctx.props;
    return this.#object().fetch(toHost(request, { session, app, outbound }));
  }

  async storage(kind: StorageKind, binding: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#door().storage(kind, binding, method, args);
  }

  async call(object: ObjectAddress, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#door().call(object, method, args);
  }

  async read(object: ObjectAddress, property: string): Promise<unknown> {
    return this.#door().read(object, property);
  }

  async setAlarm(object: ObjectAddress, time: number | null): Promise<void> {
    await this.#door().setAlarm(object, time);
  }

  async getAlarm(object: ObjectAddress): Promise<number | null> {
    return this.#door().getAlarm(object);
  }

  override async tail(events: TraceItem[]): Promise<void> {
    const records = traceRecords(events);
    if (records.length === 0) return;
    try {
      await this.#door().tail(records);
    } catch {
      // The object died, or lets nothing in any more: there is nobody to be told.
    }
  }

  #door(): PreviewDoor {
    const { session, app } = this.ctx.props;
    const door = this.#object().previewDoor(session, app) as Promise<PreviewDoor>;
    // Where there is no door, the call that is made on it fails too, and says so.
    door.catch(() => undefined);
    // A promise that calls can be made on: all goes in one round trip.
    return door as unknown as PreviewDoor;
  }

  /** A new stub for each call: one is broken once its object has died. */
  #object(): Fetcher & PreviewObject {
    const { binding, object } = this.ctx.props;
    const namespace = this.env[binding];
    if (!namespace) throw new TenrecError("not-configured", { what: `The binding ${binding}`, how: HOW });
    const { id, name } = object;
    const stub = name === undefined ? namespace.get(namespace.idFromString(id)) : namespace.getByName(name);
    return stub as unknown as Fetcher & PreviewObject;
  }
}

const HOW = "Give LivePreviews the name of the binding of the agent's class.";
