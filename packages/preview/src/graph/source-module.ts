import type { FileSystem } from "@tenrec/protocol";
import type { ModuleContent } from "../module-content.ts";
import { type ModuleKind, moduleKind } from "./module-kind.ts";
import { readBytesIfAny } from "./read-if-any.ts";
import type { Script, ScriptProblem, TransformOptions } from "./transform-script.ts";

/** A file of the tree as far as it can be made into a module without knowing of the others. */
export type SourceModule =
  | { readonly kind: "script"; readonly hash: string; readonly script: Script }
  | { readonly kind: "other"; readonly hash: string; readonly content: ModuleContent }
  | { readonly kind: "problem"; readonly hash: string; readonly problem: ScriptProblem };

/** What a script becomes, by path and content; whoever calls keeps it. */
export type TransformText = (path: string, text: string, hash: string) => Promise<Script | ScriptProblem>;

/** The same for a project that says how. */
export type TransformAs = (...args: [...Parameters<TransformText>, how: TransformOptions]) => ReturnType<TransformText>;

export interface ReadModuleOptions {
  readonly hashOf: (bytes: Uint8Array) => Promise<string>;
  readonly transform: TransformText;
}

/** As much as a whole Worker may have when it is deployed. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Reads the file at `path` and makes a module of it. */
export async function readModule(fs: FileSystem, path: string, options: ReadModuleOptions): Promise<SourceModule> {
  const kind = moduleKind(path);
  const size = await sizeOf(fs, path);
  if (size > MOST_BYTES) {
    return {
      kind: "problem",
      hash: "",
      problem: { message: `the file has ${size} bytes; a module has at most ${MOST_BYTES}` },
    };
  }
  const bytes = await readBytesIfAny(fs, path);
  if (!bytes) return { kind: "problem", hash: "", problem: { message: "the file is not there any more" } };
  const hash = await options.hashOf(bytes);
  if (kind === undefined) {
    const message =
      "a Worker cannot import this kind of file: .js, .ts, .json, .txt, .html, .sql, .css, .bin and .wasm can be";
    return { kind: "problem", hash, problem: { message } };
  }
  if (kind !== "script") return otherModule(kind, hash, bytes);
  const script = await options.transform(path, new TextDecoder().decode(bytes), hash);
  return "code" in script ? { kind: "script", hash, script } : { kind: "problem", hash, problem: script };
}

function otherModule(kind: Exclude<ModuleKind, "script">, hash: string, bytes: Uint8Array): SourceModule {
  switch (kind) {
    case "wasm":
      return { kind: "other", hash, content: { wasm: copyOf(bytes) } };
    case "data":
      return { kind: "other", hash, content: { data: copyOf(bytes) } };
    case "text":
      return { kind: "other", hash, content: { text: new TextDecoder().decode(bytes) } };
    case "json":
      return jsonModule(hash, new TextDecoder().decode(bytes));
  }
}

function jsonModule(hash: string, text: string): SourceModule {
  try {
    return { kind: "other", hash, content: { json: JSON.parse(text) as unknown } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "problem", hash, problem: { message: `not valid JSON: ${reason}` } };
  }
}

async function sizeOf(fs: FileSystem, path: string): Promise<number> {
  return fs.stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}
