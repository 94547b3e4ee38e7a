import { positionOf } from "../report/position.ts";
import { splitQuery } from "./client-path.ts";

/** A page of a project, taken apart. */
export interface HtmlPage {
  /** Addresses of module scripts, as they are written. */
  readonly scripts: readonly string[];
  /** The texts of module scripts that stand in the page. */
  readonly inline: readonly string[];
  /** Where one of them begins in the page. */
  place(index: number): { readonly line: number; readonly column: number } | undefined;
  /** The page with an address in place of each of those texts, and all else on the lines where it was. */
  withInline(address: (index: number) => string): string;
}

// What is not closed goes on to the end, as in a browser, and is not looked for again from each place of it.
const SCRIPT = /<script\b((?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)(?:>([^]*?)(?:(<\/script\s*>)|$)|$)/gi;
const COMMENT = /<!--[^]*?(?:-->|$)/g;

interface Inline {
  readonly start: number;
  readonly end: number;
  readonly attributes: string;
  readonly text: string;
  /** Where the text begins. */
  readonly at: number;
}

/** Finds the module scripts of a page. What stands in comments is none. */
export function readHtmlPage(html: string): HtmlPage {
  const visible = html.replace(COMMENT, (comment) => " ".repeat(comment.length));
  const scripts: string[] = [];
  const inline: Inline[] = [];
  for (const match of visible.matchAll(SCRIPT)) {
    const [all, attributes = "", text = "", close] = match;
    if (close === undefined || attribute(attributes, "type")?.toLowerCase() !== "module") continue;
    const src = attribute(attributes, "src");
    if (src !== undefined) scripts.push(splitQuery(src).file);
    else if (text.trim() !== "") {
      const at = match.index + "<script".length + attributes.length + 1;
      inline.push({ start: match.index, end: match.index + all.length, attributes, text, at });
    }
  }
  return {
    scripts,
    inline: inline.map(({ text }) => text),
    place: (index) => {
      const found = inline[index];
      return found && positionOf(html, found.at);
    },
    withInline(address) {
      let page = "";
      let at = 0;
      for (const [index, { start, end, attributes, text }] of inline.entries()) {
        const lines = "\n".repeat(text.split("\n").length - 1);
        page += `${html.slice(at, start)}<script${attributes} src="${address(index)}"></script>${lines}`;
        at = end;
      }
      return page + html.slice(at);
    },
  };
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
