/** What a file becomes when a script of a browser imports it. */
export type ClientKind =
  | "script"
  | "style"
  | "module-style"
  | "json"
  | "text"
  | "address"
  | "vue"
  | "svelte"
  | "svelte-module";

const SCRIPT = /\.[cm]?[jt]sx?$/;
const ADDRESS =
  /\.(?:apng|avif|bmp|gif|ico|jpe?g|png|svg|webp|aac|flac|m4a|mp3|mp4|ogg|opus|wav|webm|eot|otf|ttf|woff2?|pdf|wasm|webmanifest|txt|html?)$/i;

/** Undefined for a file that a browser cannot import. A query such as `?raw` decides before the ending, as Vite has it. */
export function clientKind(path: string): ClientKind | undefined {
  const { file, query } = splitQuery(path);
  if (/(?:^|&)raw\b/.test(query)) return "text";
  if (/(?:^|&)url\b/.test(query)) return "address";
  if (/\.svelte\.[jt]s$/.test(file)) return "svelte-module";
  if (SCRIPT.test(file)) return "script";
  if (file.endsWith(".module.css")) return "module-style";
  if (file.endsWith(".css")) return "style";
  if (file.endsWith(".json")) return "json";
  if (file.endsWith(".vue")) return "vue";
  if (file.endsWith(".svelte")) return "svelte";
  return ADDRESS.test(file) ? "address" : undefined;
}

export function splitQuery(path: string): { readonly file: string; readonly query: string } {
  const at = path.indexOf("?");
  return at === -1 ? { file: path, query: "" } : { file: path.slice(0, at), query: path.slice(at + 1) };
}

/**
 * Where a browser finds the module of a path, below the root and without a slash in front. What is no script has a query, so
 * that its address alone is the file itself.
 */
export function clientName(root: string, path: string): string {
  const { file, query } = splitQuery(path);
  // What is in the folder `public` is served as if it was at the root.
  const below = file.slice(root === "/" ? 1 : root.length + 1).replace(/^public\//, "");
  if (query !== "") return `${below}?${query}`;
  const isScript = ["script", "vue", "svelte", "svelte-module"].includes(clientKind(path) ?? "");
  return isScript ? below : `${below}?import`;
}
