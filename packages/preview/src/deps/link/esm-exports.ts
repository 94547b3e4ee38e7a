import { declaredBy } from "./patterns.ts";
import { nameOf, nodeIn, nodesIn, type SyntaxNode } from "./syntax-node.ts";

/** What importers of a file can name. */
export interface ExportFacts {
  readonly names: ReadonlySet<string>;
  /** Specifiers all of whose names are its names too. */
  readonly stars: ReadonlySet<string>;
}

/** The exports of an ES module, by its syntax tree. */
export function esmExports(program: SyntaxNode): ExportFacts {
  const names = new Set<string>();
  const stars = new Set<string>();
  for (const statement of nodesIn(program, "body")) {
    if (statement.type === "ExportDefaultDeclaration") names.add("default");
    if (statement.type === "ExportAllDeclaration") {
      const exported = nameOf(nodeIn(statement, "exported"));
      const from = nameOf(nodeIn(statement, "source"));
      if (exported !== undefined) names.add(exported);
      else if (from !== undefined) stars.add(from);
    }
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const specifier of nodesIn(statement, "specifiers")) addName(names, nodeIn(specifier, "exported"));
    const declaration = nodeIn(statement, "declaration");
    for (const name of declaredBy(declaration)) names.add(name);
  }
  return { names, stars };
}

function addName(names: Set<string>, node: SyntaxNode | undefined): void {
  const name = nameOf(node);
  if (name !== undefined) names.add(name);
}
