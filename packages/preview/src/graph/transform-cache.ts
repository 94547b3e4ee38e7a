import type { JsxOptions } from "./jsx-options.ts";
import {
  type FallbackTransform,
  type Script,
  type ScriptProblem,
  TRANSFORMER_VERSION,
  transformScript,
} from "./transform-script.ts";

/** UTF-16 units of code that are kept for files that no preview has any more, such as those of an edit that was undone. */
const MOST_CODE = 8 * 1024 * 1024;

/** Transforms each content once, whatever session or tree it is in. The one used longest ago is forgotten first. */
export class TransformCache {
  readonly #scripts = new Map<string, { readonly made: Promise<Script | ScriptProblem>; size: number }>();
  readonly #fallback: FallbackTransform | undefined;
  #size = 0;

  constructor(fallback?: FallbackTransform) {
    this.#fallback = fallback;
  }

  /** `hash` is of the text. */
  async transform(
    path: string,
    text: string,
    hash: string,
    options: { readonly jsx: JsxOptions; readonly guarded: boolean },
  ): Promise<Script | ScriptProblem> {
    const key = JSON.stringify([TRANSFORMER_VERSION, path, hash, options.jsx, options.guarded]);
    const known = this.#scripts.get(key);
    if (known) {
      this.#scripts.delete(key);
      this.#scripts.set(key, known);
      return known.made;
    }
    const made = transformScript(path, text, { ...options, fallback: this.#fallback });
    this.#scripts.set(key, { made, size: text.length });
    this.#size += text.length;
    this.#trim();
    return made;
  }

  #trim(): void {
    for (const [key, { size }] of this.#scripts) {
      if (this.#size <= MOST_CODE || this.#scripts.size === 1) return;
      this.#scripts.delete(key);
      this.#size -= size;
    }
  }
}
