/** A piece takes some milliseconds; between two of them others get their turn. */
const PIECE_CHARS = 32 * 1024;
const MAX_PIECE_CHARS = 1024 * 1024;

/** Ends a text for the parser, and stands for nothing. */
const NOTHING = "<!---->";

/**
 * A page in pieces for a parser that keeps back what it has not come to the end of, and reads that again with each piece: a
 * text of megabytes without a tag, or an attribute of that size, would take time that grows with its square. Text is ended
 * now and then, at a blank where there is one; within a tag the pieces grow.
 */
export function* htmlPieces(html: string): Generator<string, void> {
  let size = PIECE_CHARS;
  let isInTag = false;
  for (let at = 0; at < html.length;) {
    const piece = html.slice(at, at + size);
    const [open, close] = [piece.lastIndexOf("<"), piece.lastIndexOf(">")];
    const isText = open === -1 && !isInTag && at + size < html.length;
    if (open !== -1 || close !== -1) isInTag = open > close;
    const text = isText ? piece.slice(0, endOfWords(piece)) : piece;
    yield isText ? text + NOTHING : text;
    at += text.length;
    size = isInTag && close === -1 ? Math.min(size * 2, MAX_PIECE_CHARS) : PIECE_CHARS;
  }
}

/** Behind the last blank; without one in its second half, before what may be the begin of a reference to a character. */
function endOfWords(text: string): number {
  const blank = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
  if (blank > text.length / 2) return blank;
  const [unfinished = ""] = /(?:&[^;&\s]{0,32}|[\ud800-\udbff])$/.exec(text.slice(-34)) ?? [];
  return text.length - unfinished.length;
}
