import type { CodeDraft } from "./link-code.ts";
import type { ImportKind } from "./read-module.ts";
import { isRelative } from "./resolve-import.ts";

// In time linear to the text, whatever is not closed in it.
const IMPORT = /@import\s{1,20}(?:url\(\s{0,20})?(["'])([^"'\n]+)\1\s{0,20}\)?\s{0,20};/g;
const URLS = /url\(\s{0,20}(["']?)([^"')]*)(\1\s{0,20}\))?/g;
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g;

/** A stylesheet as code that puts it into the page, after those that it imports. */
export function draftStyle(css: string): CodeDraft {
  const imports = new Map<string, ImportKind>();
  const required: string[] = [];
  const rest = css.replace(COMMENT, "").replace(IMPORT, (statement, _quote: string, from: string) => {
    if (/^(?:[a-z]+:|\/\/)/i.test(from)) return statement;
    imports.set(from, "import");
    required.push(`require(${JSON.stringify(from)});`);
    return "";
  });
  const parts: string[] = [];
  let at = 0;
  for (const match of rest.matchAll(URLS)) {
    const [, , address = "", close] = match;
    const url = address.trim();
    const [path = ""] = url.split(/[?#]/, 1);
    if (close === undefined || !isRelative(path) || path.startsWith("/")) continue;
    imports.set(path, "import");
    const fragment = url.slice(path.length);
    parts.push(`${JSON.stringify(`${rest.slice(at, match.index)}url("`)} + require(${JSON.stringify(path)})`);
    parts.push(JSON.stringify(`${fragment}")`));
    at = match.index + match[0].length;
  }
  parts.push(JSON.stringify(rest.slice(at)));
  const code = `${required.join(" ")}
const style = document.createElement("style");
style.textContent = ${parts.join(" + ")};
document.head.append(style);`;
  return { kind: "cjs", node: false, code, imports, names: [], stars: [] };
}
