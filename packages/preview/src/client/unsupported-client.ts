import type { ScriptProblem } from "../graph/transform-script.ts";
import { positionOf } from "../report/position.ts";
import type { ClientKind } from "./client-path.ts";

/** Endings that something else than a preview has to translate. */
const LANGUAGES: Readonly<Record<string, string>> = {
  astro: "Astro pages",
  less: "Less",
  mdx: "MDX",
  sass: "Sass",
  scss: "Sass",
  styl: "Stylus",
  svelte: "Svelte components",
  vue: "Vue single-file components",
};

/** What a preview does not do for a browser, by name; undefined where it can. */
export function beyondBrowser(
  file: string,
  kind: ClientKind | undefined,
  text: () => string,
): ScriptProblem | undefined {
  const language = kind === "text" || kind === "address" ? undefined : LANGUAGES[file.slice(file.lastIndexOf(".") + 1)];
  if (language !== undefined) return { message: `a preview does not translate ${language}` };
  if (kind === undefined)
    return { message: "a browser cannot import this kind of file; ?raw gives its text, ?url its address" };
  if (kind === "style" || kind === "module-style") {
    return find(
      text(),
      /@tailwind\b|@import\s+["']tailwindcss|@apply\b/,
      "a preview does not run Tailwind; take the script of its CDN, or plain CSS",
    );
  }
  if (kind !== "script") return undefined;
  return find(text(), /import\.meta\.glob\b/, "a preview does not have import.meta.glob; import the files by name");
}

function find(text: string, pattern: RegExp, message: string): ScriptProblem | undefined {
  const found = pattern.exec(text);
  return found ? { ...positionOf(text, found.index), message } : undefined;
}
