import { env as runtimeEnv, exports as ownExports } from "cloudflare:workers";
import { ASSETS_HEADER, type BindingList, type GatewayBinding } from "./gateway-binding.ts";
import { D1StandIn } from "./d1-database.ts";
import { KvStandIn } from "./kv-namespace.ts";
import { ObjectNamespace } from "./object-namespace.ts";
import { R2StandIn } from "./r2-bucket.ts";
import { unsupportedBinding } from "./unsupported-binding.ts";

// This module runs before any of the app's, so that these see their bindings from the first line on.
const env = runtimeEnv as unknown as Record<string, unknown>;

export const gateway: GatewayBinding = env["TENREC_PREVIEW"] as GatewayBinding;
const list = env["TENREC_BINDINGS"] as BindingList;
delete env["TENREC_PREVIEW"];
delete env["TENREC_BINDINGS"];

for (const name of list.kv) env[name] = new KvStandIn(gateway, name);
for (const name of list.d1) env[name] = new D1StandIn(gateway, name);
for (const name of list.r2) env[name] = new R2StandIn(gateway, name);
for (const { binding, className } of list.objects) env[binding] = new ObjectNamespace(gateway, className);
for (const { binding, entrypoint } of list.services) env[binding] = ownService(entrypoint);
for (const { binding, feature } of list.unsupported) env[binding] = unsupportedBinding(binding, feature);
if (list.assets !== undefined) env[list.assets] = assets();

/** What a stub has itself; every other name is one of the entrypoint. */
const NATIVE: ReadonlySet<PropertyKey> = new Set(["fetch", "connect", "queue", "scheduled"]);

/** The Worker itself. What it exports is looked up late: this module is evaluated first. */
function ownService(entrypoint: string | undefined): object {
  return new Proxy(
    {},
    {
      get: (_, key) => {
        if (key === "then") return undefined;
        const all = ownExports as unknown as Record<string, Record<PropertyKey, unknown> | undefined>;
        const stub = all[entrypoint ?? "default"];
        const member = stub?.[key];
        return NATIVE.has(key) && typeof member === "function" ? (member.bind(stub) as unknown) : member;
      },
    },
  );
}

function assets(): { fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> } {
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const headers = new Headers(request.headers);
      headers.set(ASSETS_HEADER, "1");
      return gateway.fetch(new Request(request, { headers }));
    },
  };
}
