import { constantTest } from "./constant-test.ts";
import { isNode, nodeIn, type SyntaxNode } from "./syntax-node.ts";

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|PropertyDefinition|StaticBlock)$/;

/** Where a node stands. */
export interface Place {
  readonly parent: SyntaxNode | undefined;
  readonly inFunction: boolean;
}

/** Shows each node that may run in this mode, in no order: of `if (process.env.NODE_ENV === …)` only the part that counts. */
export function walk(root: SyntaxNode, mode: string, visit: (node: SyntaxNode, place: Place) => void): void {
  // No recursion: generated code nests deeper than a stack.
  const open: [node: SyntaxNode, parent: SyntaxNode | undefined, inFunction: boolean][] = [[root, undefined, false]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent, inFunction] = next;
    visit(node, { parent, inFunction });
    const dead = deadPart(node, mode);
    const isInside = inFunction || FUNCTION.test(node.type);
    for (const key in node) {
      const value = node[key];
      if (typeof value !== "object" || value === null || value === dead) continue;
      for (const one of Array.isArray(value) ? value : [value]) {
        if (isNode(one)) open.push([one, node, isInside]);
      }
    }
  }
}

function deadPart(node: SyntaxNode, mode: string): SyntaxNode | undefined {
  if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
    const value = constantTest(nodeIn(node, "test"), mode);
    return value === undefined ? undefined : nodeIn(node, value ? "alternate" : "consequent");
  }
  if (node.type !== "LogicalExpression") return undefined;
  const left = constantTest(nodeIn(node, "left"), mode);
  const isSkipped = (node["operator"] === "&&" && left === false) || (node["operator"] === "||" && left === true);
  return isSkipped ? nodeIn(node, "right") : undefined;
}
