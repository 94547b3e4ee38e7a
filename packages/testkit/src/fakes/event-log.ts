/** Items that are read from the start by any number of readers, while more are added. */
export interface EventLog<T> {
  add(item: T): void;
  /** No more items. With a failure, readers throw it after the last one. */
  end(failure?: { readonly error: unknown }): void;
  read(): AsyncGenerator<T, void, void>;
}

export function eventLog<T>(): EventLog<T> {
  const items: T[] = [];
  let ended: { readonly failure?: { readonly error: unknown } } | undefined;
  let change = Promise.withResolvers<void>();
  const notify = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  return {
    add: (item) => {
      items.push(item);
      notify();
    },
    end: (failure) => {
      ended ??= failure ? { failure } : {};
      notify();
    },
    read: async function* () {
      for (let next = 0; ;) {
        const item = items[next];
        if (item !== undefined) {
          next++;
          yield item;
        } else if (ended?.failure) throw ended.failure.error;
        else if (ended) return;
        else await change.promise;
      }
    },
  };
}
