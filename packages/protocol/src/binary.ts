/** Bytes from the start of a file that tell whether it is text. */
export const BINARY_BYTES: number = 8 * 1024;

/** Whether a file is not text: a NUL in its first 8 KiB, as ripgrep and git have it. */
export function isBinary(head: Uint8Array): boolean {
  return head.subarray(0, BINARY_BYTES).includes(0);
}
