/** A binding that a preview does not have: whatever is done with it throws its name. */
export function unsupportedBinding(binding: string, feature: string): object {
  const refuse = (): never => {
    throw new Error(`env.${binding} (${feature}) is not supported in a preview. Deploy the Worker to use it.`);
  };
  return new Proxy(() => undefined, {
    get: (_, key) => {
      // What looks at a value does not use it: logging, `await`, a check of its type.
      if (typeof key === "symbol" || key === "then" || key === "toJSON" || key === "constructor") return undefined;
      return refuse();
    },
    apply: refuse,
    construct: refuse,
    set: refuse,
  });
}
