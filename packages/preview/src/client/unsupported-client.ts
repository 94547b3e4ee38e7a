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
  "svelte-module": "modules of Svelte",
  vue: "Vue single-file components",
};

const COMPILED: ReadonlySet<ClientKind | undefined> = new Set(["vue", "svelte", "svelte-module"]);

/** What a preview does not do for a browser, by name; undefined where it can. */
export function beyondBrowser(
  file: string,
  kind: ClientKind | undefined,
  text: () => string,
  compiles: boolean,
): ScriptProblem | undefined {
  const isPlain = kind === "text" || kind === "address" || (compiles && COMPILED.has(kind));
  const ending = kind === "svelte-module" ? kind : file.slice(file.lastIndexOf(".") + 1);
  const language = isPlain ? undefined : LANGUAGES[ending];
  if (language !== undefined) return { message: `a preview does not translate ${language}` };
  if (kind === undefined)
    return { message: "a browser cannot import this kind of file; ?raw gives its text, ?url its address" };
  if (kind === "style" || kind === "module-style") {
    const old = find(
      text(),
      /@tailwind\b/,
      "a preview runs Tailwind 4 and no older one: @import it in place of @tailwind",
    );
    const message = "a preview does not run Tailwind; take the script of its CDN, or plain CSS";
    return old ?? (compiles ? undefined : find(text(), /@import\s+["']tailwindcss|@apply\b/, message));
  }
  if (kind !== "script" && kind !== "svelte-module") return undefined;
  return find(text(), /import\.meta\.glob\b/, "a preview does not have import.meta.glob; import the files by name");
}

function find(text: string, pattern: RegExp, message: string): ScriptProblem | undefined {
  const found = pattern.exec(text);
  return found ? { ...positionOf(text, found.index), message } : undefined;
}
