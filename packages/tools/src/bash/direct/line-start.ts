/** Where a line begins, counted from 1; the end of the text for one that is not there. */
export function lineStart(bytes: Uint8Array, line: number): number {
  let start = 0;
  for (let at = 1; at < line && start < bytes.length; at++) {
    const end = bytes.indexOf(10, start);
    start = end === -1 ? bytes.length : end + 1;
  }
  return start;
}
