import { WorkerEntrypoint } from "cloudflare:workers";
import type { GatewayBinding, ObjectAddress } from "../inside/gateway-binding.ts";
import { traceRecords } from "../report/trace-record.ts";
import { toHost } from "./gateway-request.ts";
import type { GatewayProps, PreviewObject } from "./host-exports.ts";
import type { PreviewDoor } from "./preview-door.ts";

/** The only way from an app to the object that hosts it. A Worker exports it beside its agent. */
export class PreviewGateway extends WorkerEntrypoint<unknown, GatewayProps> implements GatewayBinding {
  override fetch(request: Request): Promise<Response> {
    const { object, session, app, outbound } = this.ctx.props;
    return (object as Fetcher).fetch(toHost(request, { session, app, outbound }));
  }

  async storage(kind: "kv" | "r2" | "d1", binding: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#door().storage(kind, binding, method, args);
  }

  async call(object: ObjectAddress, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#door().call(object, method, args);
  }

  async setAlarm(object: ObjectAddress, time: number | null): Promise<void> {
    await this.#door().setAlarm(object, time);
  }

  async getAlarm(object: ObjectAddress): Promise<number | null> {
    return this.#door().getAlarm(object);
  }

  override async tail(events: TraceItem[]): Promise<void> {
    await this.#door().tail(traceRecords(events));
  }

  #door(): PreviewDoor {
    const { object, session, app } = this.ctx.props;
    // A promise that calls can be made on: all goes in one round trip.
    return (object as unknown as PreviewObject).previewDoor(session, app) as unknown as PreviewDoor;
  }
}
