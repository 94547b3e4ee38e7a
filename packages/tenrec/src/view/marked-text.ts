/** A piece of what a model says, with the little markup that every model uses. */
export interface MarkedPiece {
  readonly kind: "plain" | "code" | "bold" | "block" | "heading";
  readonly text: string;
}

const MARKS = /^```[^\n]*\n([^]*?)^```[ \t]*(?:\n|$)|`([^`\n]+)`|\*\*([^*\n]+)\*\*|^#{1,6} ([^\n]+)/gm;

/** Splits a text at fenced blocks, `code`, **bold** and headings. What is none of these stays as it is written. */
export function markedText(text: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  const add = (kind: MarkedPiece["kind"], piece: string): void => {
    if (piece !== "") pieces.push({ kind, text: piece });
  };
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    add("plain", text.slice(end, match.index));
    const [whole, block, code, bold, heading] = match;
    if (block !== undefined) add("block", block);
    else if (code !== undefined) add("code", code);
    else if (bold !== undefined) add("bold", bold);
    else add("heading", heading ?? "");
    end = match.index + whole.length;
  }
  add("plain", text.slice(end));
  return pieces;
}
