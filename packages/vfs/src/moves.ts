/** Wakes who waits for a head to move. */
export class Moves {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when the head moves next; rejects with the signal's reason. */
  next(head: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(head) ?? new Set();
      this.#waiting.set(head, waiting);
      const abort = (): void => {
        waiting.delete(wake);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      waiting.add(wake);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  tell(head: string): void {
    const waiting = this.#waiting.get(head);
    this.#waiting.delete(head);
    for (const wake of waiting ?? []) wake();
  }
}
