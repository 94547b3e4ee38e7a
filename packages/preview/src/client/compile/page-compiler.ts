import type { PackageFile } from "../../graph/read-package.ts";
import type { ScriptProblem, TransformOptions } from "../../graph/transform-script.ts";

/** What the compiler of an app's own package translates; for scripts, a package of ours. */
export type PageLanguage = "vue" | "svelte" | "tailwind" | "script";

export interface CompileInput {
  /** Of the file, as errors name it. */
  readonly filename: string;
  readonly source: string;
  /** Differs between files: what scopes the styles of a component. */
  readonly id: string;
  /** For scripts. */
  readonly script?: TransformOptions;
  /** For Tailwind: words that may be classes. */
  readonly candidates?: readonly string[];
  /** For Tailwind: style sheets of the tree that are imported, by how they are named. */
  readonly sheets?: Readonly<Record<string, string>>;
}

export interface CompileRequest {
  readonly language: PageLanguage;
  /** Of the app: its version of the compiler is the one that counts. */
  readonly manifest: PackageFile;
  readonly input: CompileInput;
  /** Packages that the file brings into the compiler: style sheets, and plug-ins. */
  readonly packages?: { readonly styles: readonly string[]; readonly plugins: readonly string[] };
  readonly signal: AbortSignal;
}

/** What a part of the code is from; the parts of one text may lie in one another. */
export interface PartMap {
  /** How many lines of the code are before it. */
  readonly line: number;
  /** As in a source map with one source. */
  readonly mappings: string;
}

export type Compiled =
  | {
      readonly code: string;
      readonly lang: "js" | "ts" | "css";
      /** Style sheets that go with the code. */
      readonly styles: readonly string[];
      /** Of a component: where its code comes from. */
      readonly maps?: readonly PartMap[];
    }
  | { readonly problem: ScriptProblem };

/** Translates what a browser does not understand, with the packages that the app itself depends on. */
export interface PageCompiler {
  /** What is wrong with the source or with the compiler's packages is a problem; throws `signal.reason` on abort. */
  compile(request: CompileRequest): Promise<Compiled>;
}
