import { env } from "cloudflare:workers";
import type { GatewayBinding, ObjectAddress } from "./gateway-binding.ts";
import { ObjectId } from "./object-id.ts";

type ObjectClass = new (ctx: DurableObjectState<Address>, env: unknown) => { alarm?(info?: unknown): unknown };

interface Address {
  readonly className: string;
  readonly id: string;
  readonly name?: string;
}

/**
 * The class of a Durable Object of the app, as it runs inside the object that hosts the preview: with an id of its own,
 * and with alarms that the host keeps, since an object inside another one has none. `onMake` is given the context of each object.
 */
export function hostedClass(
  app: Readonly<Record<string, unknown>>,
  className: string,
  gateway: GatewayBinding,
  onMake: (ctx: unknown) => void,
): ObjectClass {
  const original = app[className];
  if (typeof original !== "function") {
    return class {
      constructor() {
        throw new Error(`The Worker does not export the class ${className}, which its configuration names.`);
      }
    };
  }
  const hosted = class extends (original as ObjectClass) {
    constructor(ctx: DurableObjectState<Address>) {
      onMake(ctx);
      super(adapt(ctx, gateway, "alarm" in (original as ObjectClass).prototype), env);
    }

    /** Called by the host; the name is not one that an app uses. */
    async tenrecPreviewAlarm(info: AlarmInvocationInfo): Promise<void> {
      await this.alarm?.(info);
    }
  };
  Object.defineProperty(hosted, "name", { value: className });
  return hosted;
}

function adapt(
  ctx: DurableObjectState<Address>,
  gateway: GatewayBinding,
  hasAlarm: boolean,
): DurableObjectState<Address> {
  const address: ObjectAddress = ctx.props;
  const { storage } = ctx;
  Object.defineProperty(ctx, "id", { value: new ObjectId(address.id, address.name) });
  Object.defineProperty(ctx, "props", { value: {} });
  const setAlarm = async (time: number | Date): Promise<void> => {
    if (!hasAlarm)
      throw new TypeError("Your Durable Object class must have an alarm() handler in order to call setAlarm()");
    await gateway.setAlarm(address, Number(time));
  };
  Object.defineProperties(storage, {
    setAlarm: { value: setAlarm },
    getAlarm: { value: () => gateway.getAlarm(address) },
    deleteAlarm: { value: () => gateway.setAlarm(address, null) },
  });
  return ctx;
}
