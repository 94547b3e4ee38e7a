/** How JSX is written out. */
export interface JsxOptions {
  readonly runtime: "classic" | "automatic";
  /** Default: `react`. */
  readonly importSource?: string;
  readonly factory?: string;
  readonly fragment?: string;
}

const COMMENTS = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/;

/** `base` as changed by the `@jsx…` comments at the top of a file. */
export function withPragmas(base: JsxOptions, source: string): JsxOptions {
  if (!source.includes("@jsx")) return base;
  const comments = COMMENTS.exec(source)?.[0] ?? "";
  const pragma = (name: string): string | undefined => new RegExp(`@${name}\\s+(\\S+)`).exec(comments)?.[1];
  const runtime = pragma("jsxRuntime");
  const importSource = pragma("jsxImportSource") ?? base.importSource;
  const factory = pragma("jsx") ?? base.factory;
  const fragment = pragma("jsxFrag") ?? base.fragment;
  const asked = pragma("jsxImportSource") ? "automatic" : pragma("jsx") ? "classic" : base.runtime;
  return {
    runtime: runtime === "classic" || runtime === "automatic" ? runtime : asked,
    ...(importSource === undefined ? {} : { importSource }),
    ...(factory === undefined ? {} : { factory }),
    ...(fragment === undefined ? {} : { fragment }),
  };
}
