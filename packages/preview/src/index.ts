export type { DependencyCache } from "./deps/cache/dependency-cache.ts";
export { memoryCache } from "./deps/cache/memory-cache.ts";
export { type CacheStorageLike, sqlCache } from "./deps/cache/sql-cache.ts";
export type { Dependencies, DependencyBundler, DependencyProgress, DependencyRequest } from "./deps/dependencies.ts";
export { createDependencyBundler, type DependencyBundlerOptions } from "./deps/dependency-bundler.ts";
export { LOCKFILES } from "./deps/lock/read-lockfile.ts";
export type { ModuleContent, ModuleMap } from "./module-content.ts";
export type { Problem } from "./problem.ts";
