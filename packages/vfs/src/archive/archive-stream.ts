import { TenrecError } from "@tenrec/protocol";

/** Throws the typed form of what a decoder threw: `EIO`, unless it has a code. */
export function damaged(error: unknown): never {
  if (error instanceof TenrecError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new TenrecError("EIO", { path: "/", reason: `the archive cannot be read: ${reason}` }, { cause: error });
}

/** The chunks of a stream, whose failure is `EIO`, unless it has a code. */
export interface Chunks extends AsyncIterableIterator<Uint8Array> {
  /** Cancels the stream at once, so that a reading that is waiting for it ends too. */
  return(): Promise<IteratorResult<Uint8Array>>;
}

export function chunksOf(stream: ReadableStream<Uint8Array>): Chunks {
  const reader = stream.getReader();
  const chunks: Chunks = {
    async next() {
      const { done, value } = await reader.read().catch(damaged);
      return done ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      // Fails when the stream did, which has been told.
      await reader.cancel().catch(() => {});
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => chunks,
  };
  return chunks;
}

/** A stream of what a generator gives, as it is read. A cancel ends the generator. */
export function streamFrom(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // Thrown, workerd would call it an unhandled rejection as well.
          controller.error(error);
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
