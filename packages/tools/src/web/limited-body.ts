import { TenrecError } from "@tenrec/protocol";

/** How a request ends before its answer is complete. */
export interface Cutoff {
  readonly signal: AbortSignal;
  /** What to throw once `signal` aborted. */
  reason(): unknown;
}

/**
 * The pieces of an answer, counted as they come, after they were unpacked: a small answer cannot become a large one. The
 * connection is given up at its end, at an error, and at `return`, also before the first piece was asked for.
 */
export class LimitedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #url: string;
  readonly #limit: number;
  readonly #cutoff: Cutoff;
  #size = 0;

  constructor(response: Response, url: string, limit: number, cutoff: Cutoff) {
    this.#reader = response.body?.getReader();
    this.#url = url;
    this.#limit = limit;
    this.#cutoff = cutoff;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#reader) return { done: true, value: undefined };
    try {
      const { done, value } = await this.#read(this.#reader);
      if (done) return { done, value: undefined };
      this.#size += value.byteLength;
      if (this.#size > this.#limit) throw new TenrecError("response-too-large", { url: this.#url, limit: this.#limit });
      return { done: false, value };
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    // What the server makes of it is not waited for.
    this.#reader?.cancel().catch(() => {});
    return Promise.resolve({ done: true, value: undefined });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadableStreamReadResult<Uint8Array>> {
    const { signal } = this.#cutoff;
    const { promise: cut, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(new Error("cut off"));
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (signal.aborted) stop();
      return await Promise.race([reader.read(), cut]);
    } catch (error) {
      if (signal.aborted) throw this.#cutoff.reason();
      const reason = `the connection broke after ${this.#size} bytes (${(error as Error).message})`;
      throw new TenrecError("fetch-failed", { url: this.#url, reason }, { cause: error });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}
