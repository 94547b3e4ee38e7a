import { inject } from "vitest";
import { memoryCache } from "./deps/cache/memory-cache.ts";
import type { DependencyBundler } from "./deps/dependencies.ts";
import { createDependencyBundler } from "./deps/dependency-bundler.ts";
import { egressTo } from "./deps/with-loader.workers.ts";

/** Brings in the packages that are installed here. */
export function installedPackages(): DependencyBundler {
  const registry = inject("npmServer");
  return createDependencyBundler({ egress: egressTo(), cache: memoryCache(100_000_000), registry });
}
