/**
 * A stream that pulls from a generator, so that nothing runs ahead of the reader. Cancelling calls `stop`, which should
 * abort what the generator waits for.
 */
export function streamOf<T>(items: AsyncIterator<T>, stop: () => void): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      try {
        const next = await items.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: stop,
  });
}
