const CODE = /\.(?:[cm]?jsx?|[cm]?tsx?|json)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** Read as text. */
const TEXT = /\.(?:css|txt|html|svg|graphql|gql|sql|md)$/;
const BINARY = /\.(?:wasm|bin|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|eot)$/;
const LEFT_OUT = /(?:^|\/)(?:README|CHANGELOG|HISTORY|LICEN[CS]E)[^/]*\.(?:md|txt)$/i;

/** How code can use a file of a package. */
export type FileUse = "code" | "json" | "css" | "text" | "binary";

/** Undefined for what no code asks for, such as type declarations and source maps. */
export function useOf(path: string): FileUse | undefined {
  if (DECLARATIONS.test(path) || LEFT_OUT.test(path)) return undefined;
  if (path.endsWith(".json")) return "json";
  if (CODE.test(path)) return "code";
  if (path.endsWith(".css")) return "css";
  if (TEXT.test(path)) return "text";
  return BINARY.test(path) ? "binary" : undefined;
}

export function isWanted(path: string): boolean {
  if (useOf(path) !== undefined) return true;
  // Files without an ending are code where a package's `main` says so.
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.indexOf(".");
  return dot === -1 || dot === name.length - 1;
}
