/** One message of RPC has at most 32 MiB. */
export const MOST_BYTES: number = 30 * 1024 * 1024;

/** The bytes of what is put into R2. Throws what R2 does for what it does not take. */
export async function bytesForR2(value: unknown, method: string, owner: string): Promise<ArrayBuffer> {
  if (!isBody(value)) {
    const types = "JsReadableStream or ArrayBuffer or ArrayBufferView or string or Blob";
    throw new TypeError(`Failed to execute '${method}' on '${owner}': parameter 2 is not of type '${types}'.`);
  }
  return new Response(value ?? null).arrayBuffer();
}

function isBody(value: unknown): value is BodyInit | null | undefined {
  if (value === null || value === undefined || typeof value === "string" || ArrayBuffer.isView(value)) return true;
  return value instanceof ReadableStream || value instanceof ArrayBuffer || value instanceof Blob;
}
