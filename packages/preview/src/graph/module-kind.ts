/** What a file of the tree becomes. `script` may turn out to be CommonJS. */
export type ModuleKind = "script" | "json" | "text" | "data" | "wasm";

const KINDS: Readonly<Record<string, ModuleKind>> = {
  ts: "script",
  tsx: "script",
  mts: "script",
  cts: "script",
  js: "script",
  jsx: "script",
  mjs: "script",
  cjs: "script",
  json: "json",
  // Those of wrangler's default rules, and style sheets, which a Worker sends as text.
  txt: "text",
  html: "text",
  sql: "text",
  css: "text",
  bin: "data",
  wasm: "wasm",
};

/** Undefined for a file that a Worker cannot import. */
export function moduleKind(path: string): ModuleKind | undefined {
  return KINDS[path.slice(path.lastIndexOf(".") + 1)];
}
