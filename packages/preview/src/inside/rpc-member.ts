type Call = (args: readonly unknown[]) => unknown;
type Members = Readonly<Record<PropertyKey, unknown>>;

/**
 * What a stub has under a name: it can be called, as a method, and awaited, as a property, and what it has itself can be
 * reached in the same round trip. `read` is called when it is not called as a method, once.
 */
export function rpcMember(call: Call, read: () => Promise<unknown>): unknown {
  let value: Promise<unknown> | undefined;
  return new Proxy(() => undefined, {
    apply: (_, __, args) => call(args),
    get: (_, key) => {
      // What looks at a function, such as a log, asks for nothing.
      if (typeof key === "symbol") return undefined;
      const promise = (value ??= read());
      const member = (promise as unknown as Members)[key];
      // On a promise of RPC every other name is one of what it stands for.
      const isOwn = key === "then" || key === "catch" || key === "finally";
      return isOwn && typeof member === "function" ? (member.bind(promise) as unknown) : member;
    },
  });
}
