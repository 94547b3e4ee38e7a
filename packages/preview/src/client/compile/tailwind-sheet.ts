import type { FileSystem } from "@tenrec/protocol";
import { readTextIfAny } from "../../graph/read-if-any.ts";

/** Whether a style sheet is one for Tailwind 4. */
export function isTailwind(css: string): boolean {
  return /@import\s+["']tailwindcss/.test(css) || /@(?:apply|theme|utility|custom-variant|plugin)\b/.test(css);
}

/** What a style sheet for Tailwind imports, and what those import. */
export interface TailwindSheet {
  /** Texts of sheets of the tree, by how they are named. */
  readonly sheets: Readonly<Record<string, string>>;
  /** Packages. */
  readonly styles: readonly string[];
  readonly plugins: readonly string[];
}

const IMPORT = /@(import|plugin|reference)\s+(?:url\(\s*)?["']([^"']+)["']/g;

/** Follows the imports of the style sheet at `path`. */
export async function readTailwindSheet(fs: FileSystem, path: string, css: string): Promise<TailwindSheet> {
  const sheets: Record<string, string> = {};
  const styles = new Set<string>();
  const plugins = new Set<string>();
  const open = [{ path, css }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [, rule, name = ""] of next.css.matchAll(IMPORT)) {
      if (/^(?:[a-z]+:)?\/\//.test(name) || name in sheets) continue;
      if (!name.startsWith(".")) (rule === "plugin" ? plugins : styles).add(name);
      else if (rule !== "plugin") {
        const file = fs.resolvePath(next.path.slice(0, next.path.lastIndexOf("/")) || "/", name);
        const text = await readTextIfAny(fs, file);
        if (text === undefined) continue;
        sheets[name] = text;
        open.push({ path: file, css: text });
      }
    }
  }
  return { sheets, styles: [...styles].toSorted(), plugins: [...plugins].toSorted() };
}

/** More of a text than this is no list of classes. */
const MOST_WORDS = 100_000;

/** Words of some texts that may be classes: what stands between blanks or quotes. */
export function classCandidates(texts: Iterable<string>): readonly string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const separator of [/[\s"'`]+/, /[\s"`]+/, /[\s"'`{}()=<>;,]+/]) {
      for (const word of text.split(separator)) {
        if (word.length > 0 && word.length < 200 && /[a-z]/.test(word)) words.add(word);
        if (words.size >= MOST_WORDS) return [...words];
      }
    }
  }
  return [...words];
}
