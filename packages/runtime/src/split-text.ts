/** Cuts a text into pieces of at most `size` UTF-16 units, at least one piece, never between the halves of a pair. */
export function splitText(text: string, size: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  do {
    let end = Math.min(text.length, start + size);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
}
