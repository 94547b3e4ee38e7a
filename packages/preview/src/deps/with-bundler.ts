import { memoryCache } from "./cache/memory-cache.ts";
import type { DependencyRequest } from "./dependencies.ts";
import { createDependencyBundler } from "./dependency-bundler.ts";
import { type FakeRegistry, type MadePackage, REGISTRY } from "./with-registry.ts";

export const A: MadePackage = {
  manifest: { name: "a", version: "1.0.0", type: "module", exports: { ".": "./index.js", "./sub": "./sub.js" } },
  files: {
    "index.js": `import { shared } from "./shared.js"; export { b } from "b"; export const a = shared;`,
    "sub.js": `export { shared } from "./shared.js";`,
    "shared.js": `export const shared = {};`,
  },
};
export const WITH_B: MadePackage = { ...A, manifest: { ...A.manifest, dependencies: { b: "^1.0.0" } } };
export const B: MadePackage = { manifest: { name: "b", version: "1.2.0" }, files: { "index.js": `exports.b = "b";` } };

export function requestOf(
  request: Partial<DependencyRequest> & { readonly needs?: Record<string, string> },
): DependencyRequest {
  const { needs = { a: "^1.0.0" }, ...rest } = request;
  return {
    specifiers: ["a"],
    manifest: JSON.stringify({ dependencies: needs }),
    lockfile: undefined,
    target: "worker",
    conditions: ["workerd", "worker", "browser"],
    signal: new AbortController().signal,
    ...rest,
  };
}

export function bundlerOf(
  { egress }: FakeRegistry,
  cache = memoryCache(100_000_000),
): ReturnType<typeof createDependencyBundler> {
  return createDependencyBundler({ egress, cache, registry: REGISTRY });
}

export async function lockOf(
  ...packages: readonly [name: string, version: string, integrity: string][]
): Promise<DependencyRequest["lockfile"]> {
  const entries = packages.map(([name, version, integrity]) => [
    `node_modules/${name}`,
    { version, resolved: `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`, integrity },
  ]);
  return {
    name: "package-lock.json",
    text: JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(entries) }),
  };
}
