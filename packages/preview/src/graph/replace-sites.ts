import type { Script } from "./transform-script.ts";

/** The code with other names in place of those at its sites, in their order. */
export function replaceSites({ code, sites }: Script, written: readonly string[]): string {
  let text = "";
  let at = 0;
  for (const [index, { start, end, quoted }] of sites.entries()) {
    const name = written[index] ?? "";
    // A name has no quote and no backslash in it that JSON would have to escape, unless somebody wants to break out.
    const literal = JSON.stringify(name);
    text += code.slice(at, start) + (quoted ? literal : literal.slice(1, -1).replaceAll("'", "\\u0027"));
    at = end;
  }
  return text + code.slice(at);
}
