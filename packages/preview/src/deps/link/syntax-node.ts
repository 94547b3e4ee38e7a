import type { Node } from "acorn";

/** A node of a syntax tree of which only what is asked for is known. */
export interface SyntaxNode extends Node {
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The node in a field, when it is of this type. */
export function nodeIn(node: SyntaxNode | undefined, field: string, type?: string): SyntaxNode | undefined {
  const value = node?.[field];
  return isNode(value) && (type === undefined || value.type === type) ? value : undefined;
}

export function nodesIn(node: SyntaxNode | undefined, field: string): readonly SyntaxNode[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier, or the text of a string. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "Identifier") return String(node["name"]);
  return stringOf(node);
}

export function stringOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"];
  const [quasi, ...others] = node?.type === "TemplateLiteral" ? nodesIn(node, "quasis") : [];
  const value = quasi?.["value"] as { cooked?: string } | undefined;
  return others.length === 0 ? value?.cooked : undefined;
}

/** Whether it is this identifier, or these names joined by dots. */
export function isPath(node: SyntaxNode | undefined, path: string): boolean {
  const at = path.lastIndexOf(".");
  if (at === -1) return node?.type === "Identifier" && node["name"] === path;
  if (node?.type !== "MemberExpression") return false;
  const property = nodeIn(node, "property");
  const isWritten = node["computed"] === true ? stringOf(property) : nameOf(property);
  return isWritten === path.slice(at + 1) && isPath(nodeIn(node, "object"), path.slice(0, at));
}

/** What is required in `require("…")`, also through one function around it. */
export function requiredIn(node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== "CallExpression") return undefined;
  const [argument] = nodesIn(node, "arguments");
  return isPath(nodeIn(node, "callee"), "require") ? stringOf(argument) : requiredIn(argument);
}
