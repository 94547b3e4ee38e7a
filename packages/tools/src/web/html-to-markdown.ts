import { htmlPieces } from "./html-pieces.ts";

const MAX_TITLE = 300;

/** Elements as others that Markdown has; without it they stay as tags. What is a `template` is left out. */
const ALIASES: Readonly<Record<string, string>> = {
  details: "div",
  summary: "p",
  dl: "ul",
  dt: "li",
  dd: "p",
  noscript: "div",
  svg: "template",
  title: "template",
};

export interface MarkdownPage {
  /** Of the page, when it has one. */
  readonly title?: string;
  readonly markdown: string;
}

/**
 * A page as Markdown, its links made whole against `url`. Takes any text, in time that grows with its length alone, and lets
 * others run meanwhile. Rejects with `signal.reason` on abort.
 */
export async function htmlToMarkdown(html: string, url: string, signal: AbortSignal): Promise<MarkdownPage> {
  // Loaded when there is a page: most sessions fetch none.
  const { htmlToMarkdown: convert, streamHtmlToMarkdown } = await import("@mdream/js/core");
  const options = { origin: url, plugins: { tagOverrides: { ...ALIASES } } };
  let markdown = "";
  for await (const piece of streamHtmlToMarkdown(pieces(html, signal), options)) {
    signal.throwIfAborted();
    markdown += piece;
  }
  const raw = /<title\b[^<>]*>([^<]+)/i.exec(html.slice(0, 64 * 1024))?.[1];
  const title =
    raw &&
    convert(`<p>${raw.slice(0, MAX_TITLE)}</p>`, { format: "text" })
      .trim()
      .replace(/\s+/g, " ");
  return { markdown: markdown.replace(/\n{3,}/g, "\n\n").trim(), ...(title ? { title } : {}) };
}

function pieces(html: string, signal: AbortSignal): ReadableStream<string> {
  const rest = htmlPieces(html);
  return new ReadableStream<string>(
    {
      pull: async (controller) => {
        // A microtask would let no timer and no abort come through.
        await new Promise((resolve) => setTimeout(resolve));
        if (signal.aborted) return controller.error(signal.reason);
        const { done, value } = rest.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
