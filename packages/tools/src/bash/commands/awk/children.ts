import type { ArrayPlace, Node, Place } from "./syntax.ts";

/** The parts of an expression that are computed, in their order. Of a place only what says which one it is. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "name":
    case "number":
    case "text":
    case "regex":
    case "kept":
      return [];
    case "index":
      return [...childrenOf(node.array), ...node.keys];
    case "field":
      return [node.index];
    case "call":
    case "builtin":
      return node.args.flatMap((arg) => (isNamedArray(arg) ? [] : [arg]));
    case "getline":
      return [...(node.source ? [node.source] : []), ...(node.target ? childrenOf(node.target) : [])];
    case "assign":
      return [node.value, ...childrenOf(node.target)];
    case "increment":
      return childrenOf(node.target);
    case "unary":
      return [node.operand];
    case "group":
      return [node.inner];
    case "binary":
    case "compare":
    case "match":
    case "and":
    case "or":
      return [node.left, node.right];
    case "join":
      return node.parts;
    case "choose":
      return [node.test, node.yes, node.no];
    case "in":
      return [...node.keys, ...childrenOf(node.array)];
    case "list":
      return node.items;
  }
}

function isNamedArray(node: Node): boolean {
  return node.kind === "name" && node.name.isArray;
}

/** The same with other children, as many and in the same order. */
export function withChildren(node: Node, children: readonly Node[]): Node {
  const rest = [...children];
  const take = (): Node => rest.shift() ?? node;
  const takeAll = (nodes: readonly Node[]): Node[] => nodes.map(take);
  switch (node.kind) {
    case "name":
    case "number":
    case "text":
    case "regex":
    case "kept":
      return node;
    case "index":
    case "field":
      return takePlace(node, take);
    case "call":
    case "builtin":
      return { ...node, args: node.args.map((arg) => (isNamedArray(arg) ? arg : take())) };
    case "getline":
      return { ...node, source: node.source && take(), target: node.target && takePlace(node.target, take) };
    case "assign": {
      const value = take();
      return { ...node, value, target: takePlace(node.target, take) };
    }
    case "increment":
      return { ...node, target: takePlace(node.target, take) };
    case "unary":
      return { ...node, operand: take() };
    case "group":
      return { ...node, inner: take() };
    case "binary":
    case "compare":
    case "match":
    case "and":
    case "or":
      return { ...node, left: take(), right: take() };
    case "join":
      return { ...node, parts: takeAll(node.parts) };
    case "choose":
      return { ...node, test: take(), yes: take(), no: take() };
    case "in": {
      const keys = takeAll(node.keys);
      return { ...node, keys, array: takeArray(node.array, take) };
    }
    case "list":
      return { ...node, items: takeAll(node.items) };
  }
}

function takePlace(place: Place, take: () => Node): Place {
  if (place.kind === "field") return { ...place, index: take() };
  return takeArray(place, take);
}

function takeArray(place: ArrayPlace, take: () => Node): ArrayPlace {
  if (place.kind === "name") return place;
  const array = takeArray(place.array, take);
  return { ...place, array, keys: place.keys.map(take) };
}
