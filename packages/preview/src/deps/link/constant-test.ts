import { isPath, nodeIn, type SyntaxNode, stringOf } from "./syntax-node.ts";

export const NODE_ENV = "process.env.NODE_ENV";

/** What a condition is where `process.env.NODE_ENV` is known; undefined where that alone does not tell. */
export function constantTest(test: SyntaxNode | undefined, mode: string): boolean | undefined {
  switch (test?.type) {
    case "UnaryExpression": {
      const value = test["operator"] === "!" ? constantTest(nodeIn(test, "argument"), mode) : undefined;
      return value === undefined ? undefined : !value;
    }
    case "LogicalExpression": {
      const sides = [constantTest(nodeIn(test, "left"), mode), constantTest(nodeIn(test, "right"), mode)];
      // One side is enough when it is the one that decides.
      const decides = test["operator"] === "||";
      if (test["operator"] === "??") return undefined;
      if (sides.includes(decides)) return decides;
      return sides.includes(undefined) ? undefined : !decides;
    }
    case "BinaryExpression":
      return comparison(test, mode);
    default:
      return undefined;
  }
}

function comparison(test: SyntaxNode, mode: string): boolean | undefined {
  const sides = [nodeIn(test, "left"), nodeIn(test, "right")];
  const wanted = sides.map(stringOf).find((text) => text !== undefined);
  if (wanted === undefined || !sides.some((side) => isPath(side, NODE_ENV))) return undefined;
  const operator = String(test["operator"]);
  if (operator === "===" || operator === "==") return wanted === mode;
  return operator === "!==" || operator === "!=" ? wanted !== mode : undefined;
}
