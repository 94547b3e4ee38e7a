import { AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import { type Cell, comparable, compareNumbers, compareTexts, numberOf, toNumber } from "./values.ts";
import type { Variables } from "./variables.ts";

type Entry = readonly [key: string, value: Cell];
type Order = (left: Entry, right: Entry) => number;

/** The elements in an order such as `@val_num_desc`; undefined for the order in which they are. */
export function orderOf(name: string, variables: Variables, who: string): Order | undefined {
  if (name === "" || name === "@unsorted") return undefined;
  const [, by, how, way] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(name) ?? [];
  if (by === undefined || (by === "ind" && how === "type")) {
    const problem = /^[A-Za-z_]\w*$/.test(name) ? "is not supported: a function as an order" : "is no order";
    throw new AwkError(
      `fatal: ${who}: ${name.slice(0, 100)} ${problem}; use one such as @ind_str_asc, or print through sort`,
    );
  }
  const order = by === "ind" ? keyOrder(how === "num", variables) : valueOrder(how ?? "", variables);
  return way === "desc" ? (left, right) => order(right, left) : order;
}

function keyOrder(isNumeric: boolean, variables: Variables): Order {
  const byText: Order = ([left], [right]) => compareTexts(left, right, variables.ignoreCase);
  if (!isNumeric) return byText;
  return (left, right) => compareNumbers(toNumber(left[0]), toNumber(right[0])) || byText(left, right);
}

function valueOrder(how: string, variables: Variables): Order {
  const text = (value: Cell): string => (value instanceof AwkArray ? "" : variables.text(value));
  const byText: Order = ([, left], [, right]) => compareTexts(text(left), text(right), variables.ignoreCase);
  const number = (value: Cell): number => (value instanceof AwkArray ? 0 : numberOf(value));
  const arraysLast: Order = ([, left], [, right]) =>
    Number(left instanceof AwkArray) - Number(right instanceof AwkArray);
  const byNumber: Order = (left, right) => compareNumbers(number(left[1]), number(right[1])) || byText(left, right);
  if (how === "str") return (left, right) => arraysLast(left, right) || byText(left, right);
  if (how === "num") return (left, right) => arraysLast(left, right) || byNumber(left, right);
  return (left, right) => {
    const arrays = arraysLast(left, right);
    if (arrays !== 0 || left[1] instanceof AwkArray) return arrays;
    const [first, second] = [comparable(left[1]), comparable(right[1])];
    if (first === undefined && second === undefined) return byText(left, right);
    // Numbers come before texts.
    if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
    return compareNumbers(first, second);
  };
}

/** `asort`, or `asorti` with `byKey`: elements numbered from 1 in their order. How many there are. */
export function sortArray(source: AwkArray, target: AwkArray, order: Order | undefined, byKey: boolean): number {
  const entries = source.entries();
  if (order) entries.sort(order);
  if (source !== target || entries.every(([, value]) => !(value instanceof AwkArray))) target.clear();
  for (const [at, [key, value]] of entries.entries()) target.set(`${at + 1}`, byKey ? key : value);
  return entries.length;
}

/** Keys as a loop goes through them: in the order in which they came, unless `PROCINFO["sorted_in"]` says another one. */
export function loopKeys(array: AwkArray, variables: Variables): string[] {
  const settings = variables.array("PROCINFO");
  const name = settings.has("sorted_in") ? variables.text(settings.get("sorted_in")) : "";
  const order = orderOf(name, variables, 'PROCINFO["sorted_in"]');
  if (!order) return array.keys();
  return array
    .entries()
    .sort(order)
    .map(([key]) => key);
}
