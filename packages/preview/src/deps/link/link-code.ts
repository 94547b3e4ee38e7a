import { transform } from "sucrase";
import { functionBody } from "./function-body.ts";
import type { LinkTarget, PackageManifest } from "./package-manifest.ts";
import { type ImportKind, readModule } from "./read-module.ts";

/** A file before its imports are looked up. */
export interface CodeDraft {
  readonly kind: "esm" | "cjs" | "asset";
  readonly node: boolean;
  readonly code: string;
  readonly imports: ReadonlyMap<string, ImportKind>;
  readonly names: readonly string[];
  readonly stars: readonly string[];
  readonly problem?: string;
}

/** A JavaScript or TypeScript file of a package as the body of a function; one that cannot be that throws when it is run. */
export function draftCode(path: string, source: string, manifest: PackageManifest, target: LinkTarget): CodeDraft {
  const node = /\.m[jt]s$/.test(path) || (manifest.isModule && !/\.c[jt]s$/.test(path));
  try {
    const facts = readModule(toJavaScript(path, source, target), {
      mode: target.mode,
      env: metaEnv(target),
      guarded: target.platform === "worker",
    });
    if (facts.waits) return broken(`${path} has an await outside of functions, which a package cannot have here`);
    return {
      kind: facts.isEsm ? "esm" : "cjs",
      node,
      code: facts.isEsm ? functionBody(facts.source) : facts.source,
      imports: facts.imports,
      names: [...facts.exports.names],
      stars: [...facts.exports.stars],
    };
  } catch (error) {
    return broken(`${path} is no JavaScript for a module: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function broken(problem: string): CodeDraft {
  const code = `throw new SyntaxError(${JSON.stringify(problem)});`;
  return { kind: "cjs", node: false, code, imports: new Map(), names: [], stars: [], problem };
}

function toJavaScript(path: string, source: string, { mode }: LinkTarget): string {
  const [, typescript, jsx] = /\.[cm]?(?:(ts)|js)(x)?$/.exec(path) ?? [];
  if (typescript === undefined && jsx === undefined) return source;
  return transform(source, {
    transforms: [...(typescript ? ["typescript" as const] : []), ...(jsx ? ["jsx" as const] : [])],
    jsxRuntime: "automatic",
    production: mode === "production",
    disableESTransforms: true,
    preserveDynamicImport: true,
  }).code;
}

function metaEnv({ platform, mode }: LinkTarget): string | undefined {
  if (platform === "worker") return undefined;
  const env = { BASE_URL: "/", MODE: mode, DEV: mode === "development", PROD: mode === "production", SSR: false };
  return `(${JSON.stringify(env)})`;
}
