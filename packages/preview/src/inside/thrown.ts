/** What is told of a value that an app threw. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** More of it nobody reads. */
const MOST = 10_000;

/** Anything can be thrown, also what throws when it is looked at. */
export function thrown(value: unknown): Thrown {
  try {
    if (!(value instanceof Error)) return { name: "Error", message: `thrown: ${described(value)}`, stack: "" };
    return { name: textOf(value.name), message: textOf(value.message), stack: textOf(value.stack ?? "") };
  } catch {
    return { name: "Error", message: "thrown: a value that cannot be shown", stack: "" };
  }
}

function described(value: unknown): string {
  if (typeof value === "string") return textOf(value);
  try {
    return textOf(JSON.stringify(value) ?? String(value));
  } catch {
    return textOf(Object.prototype.toString.call(value));
  }
}

function textOf(value: unknown): string {
  return String(value).slice(0, MOST);
}
