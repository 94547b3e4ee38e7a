import { hasCode } from "@tenrec/protocol";

export interface ReadBody {
  readonly bytes: Uint8Array;
  /** Whether there was more than the request allows. */
  readonly isCut: boolean;
}

/** All of a body; of one that is too large, what came before the limit. */
export async function readBody(body: AsyncIterable<Uint8Array>): Promise<ReadBody> {
  const pieces: Uint8Array[] = [];
  let isCut = false;
  try {
    for await (const piece of body) pieces.push(piece);
  } catch (error) {
    if (!hasCode(error, "response-too-large")) throw error;
    isCut = true;
  }
  return { bytes: joinBytes(pieces), isCut };
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
