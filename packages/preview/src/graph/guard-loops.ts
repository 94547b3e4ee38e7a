import { getLineInfo, parse } from "acorn";
import { isNode, nodeIn, nodesIn, type SyntaxNode } from "../deps/link/syntax-node.ts";
import type { Insertion } from "./insert-texts.ts";

/**
 * What is called at each turn of a loop and each entry of a function: `src/inside/step-guard.ts`. Code that is shown to others
 * as text, such as a function in a page, runs there too, where nobody has it. It names nothing that a module may have declared
 * for itself, as some do with `globalThis`.
 */
const STEP = '(typeof tenrecStep>"u"||tenrecStep())';

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
/** A field's value of such a kind has its name from the field, and runs nothing itself. */
const NAMED = new Set(["FunctionExpression", "ArrowFunctionExpression", "ClassExpression"]);

/**
 * What makes the loops and calls of a module countable, without a new line. Also functions that call nothing count: an engine
 * calls them without an end, as those of an iterator, and a getter reaches others by their names alone. What parameters run
 * comes before the body, so it counts by itself. Throws a `SyntaxError` for what is no JavaScript of its format, and for what
 * would take the name of the step away: what cannot be counted must not run.
 */
export function guardInsertions(code: string, format: "esm" | "cjs"): readonly Insertion[] {
  const options = { ecmaVersion: "latest", allowHashBang: true } as const;
  const program =
    format === "cjs"
      ? parse(code, { ...options, sourceType: "commonjs" })
      : parse(code, { ...options, sourceType: "module" });
  return stepsIn(program as unknown as SyntaxNode, code, format);
}

/** What goes into the body of a loop or function. */
interface Steps {
  readonly open: Insertion;
  readonly close?: Insertion;
}

/** Where the steps of a loop, a function or the value of a field go; none for any other node. */
export function stepsOf(node: SyntaxNode): readonly Steps[] {
  const body = LOOPS.has(node.type) ? nodeIn(node, "body") : undefined;
  if (body?.type === "BlockStatement") return [{ open: [body.start + 1, `${STEP};`] }];
  if (body) return [{ open: [body.start, `{${STEP};`], close: [body.end, "}"] }];
  if (FUNCTIONS.has(node.type)) {
    return [...nodesIn(node, "params").flatMap(parameterSteps), ...functionSteps(nodeIn(node, "body"))];
  }
  const value = node.type === "PropertyDefinition" ? nodeIn(node, "value") : undefined;
  return value && !NAMED.has(value.type) ? [around(value)] : [];
}

/** Where steps go in a parameter: around what it is by default, and around names that are worked out. */
function parameterSteps(pattern: SyntaxNode): readonly Steps[] {
  switch (pattern.type) {
    case "AssignmentPattern": {
      const [left, right] = [nodeIn(pattern, "left"), nodeIn(pattern, "right")];
      return [...(right && !NAMED.has(right.type) ? [around(right)] : []), ...(left ? parameterSteps(left) : [])];
    }
    case "ArrayPattern":
      return nodesIn(pattern, "elements").flatMap(parameterSteps);
    case "ObjectPattern":
      return nodesIn(pattern, "properties").flatMap(parameterSteps);
    case "RestElement": {
      const argument = nodeIn(pattern, "argument");
      return argument ? parameterSteps(argument) : [];
    }
    case "Property": {
      const [key, value] = [pattern["computed"] === true && nodeIn(pattern, "key"), nodeIn(pattern, "value")];
      return [...(key ? [around(key)] : []), ...(value ? parameterSteps(value) : [])];
    }
    default:
      return [];
  }
}

/** Throws for what would hide the step from those that call it. */
export function checkNames(node: SyntaxNode, code: string): void {
  if (node.type === "Identifier" && node["name"] === "tenrecStep")
    throw problemAt(node, code, "the name tenrecStep is taken");
  if (node.type === "WithStatement") throw problemAt(node, code, "a preview does not run with statements");
}

/** As acorn writes them. */
function problemAt({ start }: SyntaxNode, code: string, message: string): SyntaxError {
  return Object.assign(new SyntaxError(message), { loc: getLineInfo(code, start), raisedAt: start });
}

/** Code that is not strict may run text among its own names; behind a comma, it runs outside. */
function evalSteps(node: SyntaxNode): readonly Steps[] {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee", "Identifier") : undefined;
  return callee?.["name"] === "eval" ? [{ open: [callee.start, "(0, "], close: [callee.end, ")"] }] : [];
}

function functionSteps(body: SyntaxNode | undefined): readonly Steps[] {
  if (body?.type !== "BlockStatement") return body ? [around(body)] : [];
  const statements = nodesIn(body, "body");
  const first = statements.findIndex((statement) => typeof statement["directive"] !== "string");
  if (first === 0 || statements.length === 0) return [{ open: [body.start + 1, `${STEP};`] }];
  // A directive counts at the very beginning only, and need not end with a semicolon.
  return [{ open: [statements[first]?.start ?? body.end - 1, `;${STEP};`] }];
}

function around({ start, end }: SyntaxNode): Steps {
  return { open: [start, `(${STEP}, `], close: [end, ")"] };
}

function stepsIn(program: SyntaxNode, code: string, format: "esm" | "cjs"): readonly Insertion[] {
  const found: Steps[] = [];
  // No recursion: generated code nests deeper than a stack.
  const waiting: SyntaxNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    checkNames(node, code);
    found.push(...stepsOf(node));
    if (format === "cjs") found.push(...evalSteps(node));
    for (const key in node) {
      const value = node[key];
      if (typeof value !== "object" || value === null) continue;
      if (!Array.isArray(value)) {
        if (isNode(value)) waiting.push(value);
      } else for (const one of value) if (isNode(one)) waiting.push(one);
    }
  }
  // Who is inside was found later, and closes earlier.
  const closes = found.flatMap(({ close }) => (close ? [close] : [])).toReversed();
  return [...closes, ...found.map(({ open }) => open)].toSorted(([a], [b]) => a - b);
}
