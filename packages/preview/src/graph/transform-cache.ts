import {
  type FallbackTransform,
  type Script,
  type ScriptProblem,
  type TransformOptions,
  TRANSFORMER_VERSION,
  transformScript,
} from "./transform-script.ts";

/** UTF-16 units of code that are kept for files that no preview has any more, such as those of an edit that was undone. */
const MOST_CODE = 8 * 1024 * 1024;

/** Transforms each content once, whatever session or tree it is in. The one used longest ago is forgotten first. */
export class TransformCache {
  readonly #scripts = new Map<string, { readonly made: Promise<Script | ScriptProblem>; size: number }>();
  #size = 0;

  /** `hash` is of the text. `fallback` must make the same of it each time. */
  async transform(
    path: string,
    text: string,
    hash: string,
    options: TransformOptions,
    fallback: FallbackTransform | undefined,
  ): Promise<Script | ScriptProblem> {
    const key = JSON.stringify([TRANSFORMER_VERSION, path, hash, options]);
    const known = this.#scripts.get(key);
    if (known) {
      this.#scripts.delete(key);
      this.#scripts.set(key, known);
      return known.made;
    }
    const made = transformScript(path, text, options, fallback);
    this.#scripts.set(key, { made, size: text.length });
    this.#size += text.length;
    this.#trim();
    const script = await made;
    // A problem may be one of the moment, such as of a download.
    if (!("code" in script)) this.#forget(key);
    return script;
  }

  #trim(): void {
    for (const key of this.#scripts.keys()) {
      if (this.#size <= MOST_CODE || this.#scripts.size === 1) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#scripts.get(key)?.size ?? 0;
    this.#scripts.delete(key);
  }
}
