import { type GatewayBinding, OBJECT_HEADER, type ObjectAddress } from "./gateway-binding.ts";
import { rpcMember } from "./rpc-member.ts";
import { idFromName, idFromString, newUniqueId, ObjectId } from "./object-id.ts";

/** Stands in for `DurableObjectNamespace`. */
export class ObjectNamespace {
  readonly #gateway: GatewayBinding;
  readonly #className: string;

  constructor(gateway: GatewayBinding, className: string) {
    this.#gateway = gateway;
    this.#className = className;
  }

  idFromName(name: string): ObjectId {
    return idFromName(this.#className, String(name));
  }

  idFromString(hex: string): ObjectId {
    return idFromString(hex);
  }

  newUniqueId(): ObjectId {
    return newUniqueId();
  }

  get(id: ObjectId): object {
    if (!(id instanceof ObjectId)) throw new TypeError("get() takes an id made by this namespace");
    return objectStub(this.#gateway, this.#className, id);
  }

  getByName(name: string): object {
    return this.get(this.idFromName(name));
  }

  /** All of a preview is in one place. */
  jurisdiction(): this {
    return this;
  }
}

function objectStub(gateway: GatewayBinding, className: string, id: ObjectId): object {
  const address: ObjectAddress = { className, id: id.toString(), ...(id.name === undefined ? {} : { name: id.name }) };
  const own = {
    id,
    name: id.name,
    fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      const headers = new Headers(request.headers);
      headers.set(OBJECT_HEADER, encodeURIComponent(JSON.stringify(address)));
      return gateway.fetch(new Request(request, { headers }));
    },
  };
  return new Proxy(own, {
    get: (target, key) => {
      if (typeof key === "symbol" || Object.hasOwn(target, key)) return Reflect.get(target, key) as unknown;
      // A stub is no promise.
      if (key === "then" || key === "catch" || key === "finally") return undefined;
      return rpcMember(
        (args) => gateway.call(address, key, args),
        () => gateway.read(address, key),
      );
    },
  });
}
