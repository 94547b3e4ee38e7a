/** One module as the Worker Loader takes it: exactly one of the kinds. */
export type ModuleContent =
  | { readonly js: string }
  | { readonly cjs: string }
  | { readonly text: string }
  | { readonly json: unknown }
  | { readonly data: ArrayBuffer }
  | { readonly wasm: ArrayBuffer };

/** Modules by name. A name is a path without a leading slash, such as `src/index.js`. */
export type ModuleMap = ReadonlyMap<string, ModuleContent>;
