import type { Unsupported } from "./project-config.ts";

/** Settings that a deployed Worker would act on and a preview does not. */
const UNSUPPORTED = [
  "ai",
  "ai_search",
  "analytics_engine_datasets",
  "browser",
  "build",
  "containers",
  "define",
  "dispatch_namespaces",
  "hyperdrive",
  "images",
  "media",
  "mtls_certificates",
  "pipelines",
  "queues",
  "ratelimits",
  "rules",
  "secrets_store_secrets",
  "send_email",
  "site",
  "tail_consumers",
  "unsafe",
  "vectorize",
  "version_metadata",
  "vpc_services",
  "wasm_modules",
  "worker_loaders",
  "workflows",
] as const;

/** What of a configuration a preview does not have, each with the names of its bindings. */
export function findUnsupported(file: Readonly<Record<string, unknown>>): Unsupported[] {
  return UNSUPPORTED.flatMap((feature) => {
    const value = file[feature];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const bindings = bindingsIn(value);
    return bindings.length > 0 ? bindings.map((binding) => ({ feature, binding })) : [{ feature }];
  });
}

function bindingsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(bindingsIn);
  const fields = value as Record<string, unknown>;
  const own = typeof fields["binding"] === "string" ? fields["binding"] : fields["name"];
  return typeof own === "string" ? [own] : Object.values(fields).flatMap(bindingsIn);
}
