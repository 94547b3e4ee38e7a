/** A digest as hex digits. */
export async function hexDigest(algorithm: string, value: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, value));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
