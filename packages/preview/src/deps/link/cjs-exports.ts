import type { ExportFacts } from "./esm-exports.ts";
import { isPath, nameOf, nodeIn, nodesIn, requiredIn, type SyntaxNode, stringOf } from "./syntax-node.ts";

/**
 * Collects the exports of a CommonJS module from the nodes that it is shown: what compilers write, and people. A name that
 * is made while the code runs is not seen.
 */
export function cjsExports(): { visit(node: SyntaxNode): void; facts(): ExportFacts } {
  const names = new Set<string>();
  const stars = new Set<string>();
  const required = new Map<string, string>();
  const copied = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case "VariableDeclarator": {
        const variable = nameOf(nodeIn(node, "id"));
        const from = requiredIn(nodeIn(node, "init"));
        if (variable !== undefined && from !== undefined) required.set(variable, from);
        return;
      }
      case "AssignmentExpression":
        return addAssigned(names, stars, node);
      case "CallExpression":
        return addCall(names, stars, copied, node);
      default:
    }
  };
  const facts = (): ExportFacts => {
    for (const variable of copied) {
      const from = required.get(variable);
      if (from !== undefined) stars.add(from);
    }
    names.delete("__esModule");
    return { names, stars };
  };
  return { visit, facts };
}

function isExports(node: SyntaxNode | undefined): boolean {
  return isPath(node, "exports") || isPath(node, "module.exports");
}

function addAssigned(names: Set<string>, stars: Set<string>, node: SyntaxNode): void {
  const left = nodeIn(node, "left");
  const right = nodeIn(node, "right");
  if (isExports(left)) {
    const from = requiredIn(right);
    if (from !== undefined) stars.add(from);
    if (right?.type === "ObjectExpression") addKeys(names, stars, right);
  } else if (left?.type === "MemberExpression" && isExports(nodeIn(left, "object"))) {
    const property = nodeIn(left, "property");
    const name = left["computed"] === true ? stringOf(property) : nameOf(property);
    if (name !== undefined) names.add(name);
  }
}

function addKeys(names: Set<string>, stars: Set<string>, object: SyntaxNode): void {
  for (const property of nodesIn(object, "properties")) {
    const name = property["computed"] === true ? undefined : nameOf(nodeIn(property, "key"));
    const spread = property.type === "SpreadElement" ? requiredIn(nodeIn(property, "argument")) : undefined;
    if (name !== undefined) names.add(name);
    if (spread !== undefined) stars.add(spread);
  }
}

/** `Object.defineProperty(exports, "x", …)`, `__exportStar(require("./x"), exports)`, `_export(exports, { x: … })` and Babel's copying. */
function addCall(names: Set<string>, stars: Set<string>, copied: Set<string>, node: SyntaxNode): void {
  const callee = nodeIn(node, "callee");
  const [first, second] = nodesIn(node, "arguments");
  if (isExports(first)) {
    const name = isPath(callee, "Object.defineProperty") ? stringOf(second) : undefined;
    if (name !== undefined) names.add(name);
    if (second?.type === "ObjectExpression" && !isPath(callee, "Object.defineProperty")) addKeys(names, stars, second);
    return;
  }
  const from = requiredIn(first);
  const called = nameOf(callee) ?? nameOf(nodeIn(callee, "property"));
  if (from !== undefined && /^_*export(?:_?star)?$/i.test(called ?? "")) stars.add(from);
  const object = nodeIn(callee, "object", "CallExpression");
  const isCopy = called === "forEach" && isPath(nodeIn(object, "callee"), "Object.keys");
  const variable = isCopy ? nameOf(nodesIn(object, "arguments")[0]) : undefined;
  if (variable !== undefined) copied.add(variable);
}
