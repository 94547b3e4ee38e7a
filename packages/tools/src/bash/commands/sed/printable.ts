const NAMES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** What `l` prints: all visible, in lines of `width` characters; 0 or 1 for one line. */
export function printable(text: string, width: number): string {
  const parts = Array.from(text).flatMap((char) => {
    if (NAMES[char] !== undefined) return [NAMES[char]];
    if (/^[ -~]$/.test(char)) return [char];
    return Array.from(new TextEncoder().encode(char), (byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  });
  let out = "";
  let column = 0;
  for (const part of parts) {
    if (width > 1 && column + part.length > width - 1) {
      out += "\\\n";
      column = 0;
    }
    out += part;
    column += part.length;
  }
  return `${out}$\n`;
}
