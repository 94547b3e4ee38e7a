import { env as runtimeEnv, exports as ownExports } from "cloudflare:workers";
import { ASSETS_HEADER, type BindingList, type GatewayBinding } from "./gateway-binding.ts";
import { ObjectNamespace } from "./object-namespace.ts";
import { capConsole } from "./cap-console.ts";
import { type InstalledGuard, installStepGuard } from "./step-guard.ts";
import { unsupportedBinding } from "./unsupported-binding.ts";

// This module runs before any of the app's, so that these see their bindings from the first line on. What stands in for a kind
// of storage is loaded only where it is bound, by a module of its own that runs next.
export const env: Record<string, unknown> = runtimeEnv as unknown as Record<string, unknown>;

export const gateway: GatewayBinding = env["TENREC_PREVIEW"] as GatewayBinding;
export const list: BindingList = env["TENREC_BINDINGS"] as BindingList;
const { now } = Date;
capConsole(console, () => now());
export const stepGuard: InstalledGuard = installStepGuard(env["TENREC_CPU_MS"] as number);
delete env["TENREC_PREVIEW"];
delete env["TENREC_CPU_MS"];
delete env["TENREC_BINDINGS"];

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
