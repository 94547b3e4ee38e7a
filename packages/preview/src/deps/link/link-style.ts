import type { CodeDraft } from "./link-code.ts";
import type { ImportKind } from "./read-module.ts";
import { isRelative } from "./resolve-import.ts";

const IMPORT = /@import\s+(?:url\(\s*)?(["'])(.+?)\1\s*\)?\s*;/g;
const URLS = /url\(\s*(["']?)([^"')]+)\1\s*\)/g;
const COMMENT = /\/\*[^]*?\*\//g;

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
    const [path = ""] = (match[2] ?? "").split(/[?#]/);
    if (!isRelative(path) || path.startsWith("/")) continue;
    imports.set(path, "import");
    const fragment = (match[2] ?? "").slice(path.length);
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
