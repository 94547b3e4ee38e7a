import { nodeIn, nodesIn, type SyntaxNode } from "./syntax-node.ts";

/** The names that a pattern declares. */
export function namesIn(pattern: SyntaxNode | undefined): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [String(pattern["name"])];
    case "ArrayPattern":
      return nodesIn(pattern, "elements").flatMap(namesIn);
    case "ObjectPattern":
      return nodesIn(pattern, "properties").flatMap((one) => namesIn(nodeIn(one, "value") ?? one));
    case "AssignmentPattern":
      return namesIn(nodeIn(pattern, "left"));
    case "RestElement":
      return namesIn(nodeIn(pattern, "argument"));
    case undefined:
    default:
      return [];
  }
}

/** The names that a statement declares: variables, a function or a class. */
export function declaredBy(declaration: SyntaxNode | undefined): string[] {
  const declared = nodesIn(declaration, "declarations").flatMap((one) => namesIn(nodeIn(one, "id")));
  return [...namesIn(nodeIn(declaration, "id")), ...declared];
}
