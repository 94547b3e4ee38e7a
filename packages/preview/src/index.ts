export type { Dependencies, DependencyBundler, DependencyProgress, DependencyRequest } from "./deps/dependencies.ts";
export type { ModuleContent, ModuleMap } from "./module-content.ts";
export type { Problem } from "./problem.ts";
