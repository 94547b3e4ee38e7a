/** Out of `decodeAt` for bytes that are no UTF-8. */
export const NO_CHAR = -1;

/**
 * The character at an offset, as `codePoint * 8 + bytes`; what is not UTF-8 is `NO_CHAR` and one byte long. No overlong
 * forms, no surrogates, nothing above U+10FFFF.
 */
export function decodeAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first * 8 + 1;
  if (first < 0xc2 || first > 0xf4) return NO_CHAR;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > end) return NO_CHAR;
  let code = first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    if (byte >> 6 !== 2) return NO_CHAR;
    code = (code << 6) | (byte & 0x3f);
  }
  return isProper(code, length) ? code * 8 + length : NO_CHAR;
}

/** No longer than it has to be, no surrogate, and within Unicode. */
function isProper(code: number, length: number): boolean {
  if (length === 2) return true;
  return length === 3 ? code >= 0x800 && code >> 11 !== 0x1b : code >= 0x10000 && code <= 0x10ffff;
}

/** The character that ends at an offset, as `decodeAt` gives it. */
export function decodeBefore(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && length <= at; length++) {
    const start = at - length;
    if ((bytes[start] ?? 0) >> 6 === 2) continue;
    const char = decodeAt(bytes, start, at);
    return char !== NO_CHAR && char % 8 === length ? char : NO_CHAR;
  }
  return NO_CHAR;
}
