import { parseSync } from "oxc-parser";
import { readText } from "./list-files.ts";

/** What a module imports and exports. */
interface ModuleRecord {
  /** Every specifier: static and dynamic imports, and re-exports. */
  imports: string[];
  /** Dynamic imports of what is not a literal, which no check can follow. */
  computedImports: string[];
  /** The names of the values and types that it exports. */
  exports: string[];
  /** The specifiers that it exports from. */
  reExports: string[];
  /** Whether it exports something of its own. */
  hasOwnExports: boolean;
}

export function readModule(path: string): ModuleRecord {
  const text = readText(path);
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end));
  const literals = dynamic.map((expression) => /^(["'`])([^$]*)\1$/.exec(expression)?.[2]);
  const reExports = entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
  return {
    imports: [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...literals.filter((literal) => literal !== undefined),
      ...reExports,
    ],
    computedImports: dynamic.filter((_, index) => literals[index] === undefined),
    exports: entries.flatMap(({ exportName }) => exportName.name ?? []),
    reExports,
    hasOwnExports: entries.some(({ moduleRequest }) => moduleRequest === null),
  };
}
