type Field = readonly [key: string, value: unknown];

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON as npm writes lockfiles: of each object what is no object first, then by `first`, then by the alphabet. */
export function niceJson(value: unknown, first: readonly string[], indent: string | number): string {
  const rank = (key: string): number => (first.includes(key) ? first.indexOf(key) : first.length);
  const compare = ([a, aValue]: Field, [b, bValue]: Field): number =>
    Number(isObject(aValue)) - Number(isObject(bValue)) || rank(a) - rank(b) || a.localeCompare(b, "en");
  const sorted = (_key: string, each: unknown): unknown =>
    isObject(each) ? Object.fromEntries(Object.entries(each as object).toSorted(compare)) : each;
  return `${JSON.stringify(value, sorted, indent)}\n`;
}
