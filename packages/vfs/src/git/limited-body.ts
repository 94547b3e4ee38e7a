import { TenrecError } from "@tenrec/protocol";

/**
 * The pieces of a response, counted after it was unpacked, so that a small answer cannot become a large one. Throws
 * `git-too-large` before the piece that is too much is passed on, and gives up the rest.
 */
export async function* limitedBody(response: Response, what: string, limit: number): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let size = 0;
  try {
    const length = Number(response.headers.get("content-length") ?? 0);
    if (length > limit) throw new TenrecError("git-too-large", { what, size: length, limit });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
      if (size > limit) throw new TenrecError("git-too-large", { what, limit });
      yield value;
    }
  } finally {
    // Also when the consumer stops early; what the server makes of it is not waited for.
    reader.cancel().catch(() => {});
  }
}

export async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    list.push(piece);
    size += piece.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of list) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
