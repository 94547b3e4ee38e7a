import type { SyntaxFault } from "./syntax-fault.ts";
import { faultsOf } from "./script-faults.ts";

/** Files of tools that read JSON with comments and trailing commas. */
const WITH_COMMENTS =
  /(^|\/)(\.vscode\/.*|[tj]sconfig[^/]*|\.?(eslintrc|swcrc|babelrc|oxlintrc|devcontainer|wrangler|knip|turbo|deno|biome)[^/]*)\.jsonc?$|\.jsonc$/;

/** Whether a file is JSON, by its name. */
export function isJson(path: string): boolean {
  return /\.jsonc?$/.test(path);
}

/** The first fault of a JSON text. */
export async function jsonFaults(path: string, text: string): Promise<SyntaxFault[]> {
  const plain = text.replace(/^\ufeff/, "");
  // An empty file is a beginning.
  if (plain.trim() === "" || isParsed(plain)) return [];
  const { parseExpression } = await import("@babel/parser");
  let nodes: readonly Node[] = [];
  const faults = faultsOf(() => {
    const root = parseExpression(plain, { errorRecovery: true }) as unknown as Root;
    nodes = [...(root.comments ?? []), ...withChildren(root)];
    return root.errors;
  });
  if (faults.length > 0) return faults.slice(0, 1);
  const isLoose = WITH_COMMENTS.test(path);
  const odd = nodes.map((node) => oddIn(node, isLoose)).filter((fault) => fault !== undefined);
  return odd.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, 1);
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is needed of a node of JavaScript's syntax tree. */
interface Node {
  readonly type: string;
  readonly loc: { readonly start: Position; readonly end: Position };
  readonly extra?: { readonly raw?: string; readonly trailingComma?: number; readonly parenthesized?: boolean };
  readonly properties?: readonly Node[];
  readonly elements?: readonly (Node | null)[];
  readonly key?: Node;
  /** Of a literal it is no node. */
  readonly value?: Node | string | number | boolean;
  readonly argument?: Node;
  readonly operator?: string;
  readonly computed?: boolean;
  readonly shorthand?: boolean;
}

interface Root extends Node {
  readonly comments?: readonly Node[] | null;
  readonly errors?: null;
}

function* withChildren(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* withChildren(child);
}

function childrenOf({ properties = [], elements = [], value }: Node): readonly Node[] {
  return [...properties, ...elements, value].filter((child): child is Node => typeof child === "object" && !!child);
}

// oxlint-disable-next-line no-control-regex -- these are what a string may not have
const STRING = /^"([^"\\\u0000-\u001f]|\\(["\\/bfnrt]|u[\dA-Fa-f]{4}))*"$/;
const NUMBER = /^(0|[1-9]\d*)(\.\d+)?([Ee][+-]?\d+)?$/;
const NO_VALUE = "this is no JSON value";

/** What is wrong with a node of each type that JSON has, its children aside. */
const RULES: Readonly<Record<string, (node: Node) => string | undefined>> = {
  ObjectExpression: () => undefined,
  ArrayExpression: ({ elements }) => (elements?.includes(null) ? "an element is missing" : undefined),
  ObjectProperty: ({ key, computed, shorthand }) => {
    const isName = key?.type === "StringLiteral" && STRING.test(key.extra?.raw ?? "") && !computed && !shorthand;
    return isName ? undefined : "a property name must be in double quotes";
  },
  UnaryExpression: ({ operator, argument }) => {
    const isNumber = operator === "-" && argument?.type === "NumericLiteral";
    return isNumber ? RULES["NumericLiteral"]?.(argument) : NO_VALUE;
  },
  StringLiteral: ({ extra }) => (STRING.test(extra?.raw ?? "") ? undefined : NO_VALUE),
  NumericLiteral: ({ extra }) => (NUMBER.test(extra?.raw ?? "") ? undefined : NO_VALUE),
  BooleanLiteral: () => undefined,
  NullLiteral: () => undefined,
};

function oddIn(node: Node, isLoose: boolean): SyntaxFault | undefined {
  const { type, loc, extra } = node;
  const at = ({ line, column }: Position, message: string): SyntaxFault => ({ line, column: column + 1, message });
  if (type.startsWith("Comment")) return isLoose ? undefined : at(loc.start, "JSON has no comments");
  if (extra?.trailingComma !== undefined && !isLoose) {
    return at({ line: loc.end.line, column: loc.end.column - 1 }, "there is a comma before this");
  }
  const rule = RULES[type];
  const message = rule ? rule(node) : NO_VALUE;
  return message === undefined ? undefined : at(loc.start, message);
}
