// A multiple of 3, so that the pieces can be joined without padding between them.
const CHUNK = 0x6000;

/** Base64 of bytes, on any runtime. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}
