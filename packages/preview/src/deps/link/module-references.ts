import { declaredBy, namesIn } from "./patterns.ts";
import { isNode, nodeIn, nodesIn, type SyntaxNode } from "./syntax-node.ts";

/** An identifier, and what it stands in. */
export interface Reference {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode;
}

interface Scope {
  readonly names: Set<string>;
  /** Undefined for that of the module. */
  readonly outer: Scope | undefined;
  /** Whether a `var` inside it belongs to it. */
  readonly holdsVars: boolean;
}

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const CLASS = /^Class(?:Declaration|Expression)$/;
const BLOCK = /^(?:BlockStatement|ForStatement|ForInStatement|ForOfStatement|SwitchStatement|CatchClause)$/;
const LABELLED = /^(?:LabeledStatement|BreakStatement|ContinueStatement|MetaProperty)$/;
/** Their names are for other modules. */
const LISTS = /^(?:ImportDeclaration|ExportSpecifier|ExportAllDeclaration)$/;

/** The identifiers that mean one of these names of the module itself, and none that is declared further inside. */
export function moduleReferences(program: SyntaxNode, names: ReadonlySet<string>): Reference[] {
  const module: Scope = { names: new Set(), outer: undefined, holdsVars: true };
  const found: (Reference & { readonly scope: Scope })[] = [];
  // No recursion: generated code nests deeper than a stack.
  const open: [node: SyntaxNode, parent: SyntaxNode, scope: Scope][] = [[program, program, module]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent, scope] = next;
    if (LISTS.test(node.type)) continue;
    if (node.type === "Identifier" && names.has(String(node["name"])) && isReference(node, parent)) {
      found.push({ node, parent, scope });
    }
    declare(node, scope);
    const inner = scopeOf(node, scope);
    for (const key in node) {
      const value = node[key];
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) open.push([one, node, inner]);
    }
  }
  // A name may be declared after it is used.
  return found.filter(({ node, scope }) => !isShadowed(String(node["name"]), scope));
}

function isShadowed(name: string, from: Scope): boolean {
  for (let scope = from; scope.outer; scope = scope.outer) if (scope.names.has(name)) return true;
  return false;
}

function declare(node: SyntaxNode, scope: Scope): void {
  const isVariable = node.type === "VariableDeclaration";
  if (!isVariable && node.type !== "FunctionDeclaration" && node.type !== "ClassDeclaration") return;
  let holder = scope;
  while (isVariable && node["kind"] === "var" && !holder.holdsVars && holder.outer) holder = holder.outer;
  for (const name of declaredBy(node)) holder.names.add(name);
}

/** The scope of what is in a node. */
function scopeOf(node: SyntaxNode, outer: Scope): Scope {
  if (FUNCTION.test(node.type)) {
    const own = node.type === "FunctionExpression" ? namesIn(nodeIn(node, "id")) : [];
    return { names: new Set([...own, ...nodesIn(node, "params").flatMap(namesIn)]), outer, holdsVars: true };
  }
  if (CLASS.test(node.type)) return { names: new Set(namesIn(nodeIn(node, "id"))), outer, holdsVars: false };
  if (node.type === "StaticBlock") return { names: new Set(), outer, holdsVars: true };
  return BLOCK.test(node.type) ? { names: new Set(namesIn(nodeIn(node, "param"))), outer, holdsVars: false } : outer;
}

/** Whether it is no name of a property or of a label. */
function isReference(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (LABELLED.test(parent.type)) return false;
  return parent["computed"] === true || (parent["property"] !== node && parent["key"] !== node);
}
