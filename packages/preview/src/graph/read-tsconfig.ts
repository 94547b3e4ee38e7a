import type { FileSystem } from "@tenrec/protocol";
import { parse } from "jsonc-parser";
import { z } from "zod";
import type { JsxOptions } from "./jsx-options.ts";
import { readTextIfAny } from "./read-if-any.ts";

/** What of a `tsconfig.json` decides how modules are found and written out. */
export interface TsConfig {
  readonly jsx: JsxOptions;
  /** Whether decorators are those of older TypeScript. */
  readonly legacyDecorators: boolean;
  /** Where bare specifiers may be found as well; absolute. */
  readonly baseUrl?: string;
  /** Patterns with at most one `*`, each with absolute targets. */
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
  /** The files it was read from. */
  readonly files: readonly string[];
}

const options = z.looseObject({
  baseUrl: z.string().optional(),
  paths: z.record(z.string(), z.array(z.string())).optional(),
  experimentalDecorators: z.boolean().optional(),
  jsx: z.string().optional(),
  jsxImportSource: z.string().optional(),
  jsxFactory: z.string().optional(),
  jsxFragmentFactory: z.string().optional(),
});
const schema = z.looseObject({
  extends: z.union([z.string(), z.array(z.string())]).optional(),
  compilerOptions: options.optional(),
});

type Options = z.infer<typeof options>;

const MOST_FILES = 16;

/** Reads the `tsconfig.json` at the root of a project; what is missing or malformed has no effect. */
export async function readTsConfig(fs: FileSystem, root: string, name = "tsconfig.json"): Promise<TsConfig> {
  const files: string[] = [];
  const merged = await readOptions(fs, fs.resolvePath(root, name), files);
  const { jsx, jsxImportSource, jsxFactory, jsxFragmentFactory, baseUrl, paths, pathsBase } = merged;
  return {
    jsx: {
      runtime: jsx === "react-jsx" || jsx === "react-jsxdev" ? "automatic" : "classic",
      ...(jsxImportSource === undefined ? {} : { importSource: jsxImportSource }),
      ...(jsxFactory === undefined ? {} : { factory: jsxFactory }),
      ...(jsxFragmentFactory === undefined ? {} : { fragment: jsxFragmentFactory }),
    },
    legacyDecorators: merged.experimentalDecorators ?? false,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    paths: Object.entries(paths ?? {}).map(([pattern, targets]) => ({
      pattern,
      targets: targets.map((target) => fs.resolvePath(baseUrl ?? pathsBase ?? root, target)),
    })),
    files,
  };
}

async function readOptions(fs: FileSystem, path: string, files: string[]): Promise<Options & { pathsBase?: string }> {
  if (files.includes(path) || files.length >= MOST_FILES) return {};
  files.push(path);
  const text = await readTextIfAny(fs, path);
  const { data } = schema.safeParse(text === undefined ? {} : parsed(text));
  const folder = fs.resolvePath(path, "..");
  const bases = [data?.extends ?? []].flat().filter((name) => name.startsWith("."));
  let merged: Options & { pathsBase?: string } = {};
  for (const base of bases) {
    const file = fs.resolvePath(folder, base.endsWith(".json") ? base : `${base}.json`);
    merged = { ...merged, ...(await readOptions(fs, file, files)) };
  }
  const own = data?.compilerOptions ?? {};
  return {
    ...merged,
    ...own,
    ...(own.baseUrl === undefined ? {} : { baseUrl: fs.resolvePath(folder, own.baseUrl) }),
    ...(own.paths === undefined ? {} : { pathsBase: folder }),
  };
}

/** As much as can be read. */
function parsed(text: string): unknown {
  try {
    return parse(text, [], { allowTrailingComma: true });
  } catch {
    // It nests deeper than the stack is.
    return {};
  }
}
