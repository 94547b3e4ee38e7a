import { parse } from "acorn";
import { isNode, nodeIn, nodesIn, type SyntaxNode } from "../deps/link/syntax-node.ts";
import type { Insertion } from "./insert-texts.ts";

/**
 * What is called at each turn of a loop and each entry of a function: `src/inside/step-guard.ts`. Code that is shown to others
 * as text, such as a function in a page, runs there too, where nobody has it. It names nothing that a module may have declared
 * for itself, as some do with `globalThis`. It is short, since an engine reads it again for each isolate.
 */
const STEP = 'typeof tnr$>"u"||tnr$()';

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
/** A field's value of such a kind has its name from the field, and runs nothing itself. */
const NAMED = new Set(["FunctionExpression", "ArrowFunctionExpression", "ClassExpression"]);

/**
 * What makes the loops and calls of a module countable, without a new line. Also functions that call nothing count: an engine
 * calls them without an end, as those of an iterator, and a getter reaches others by their names alone. Throws a `SyntaxError`
 * for what is no JavaScript of its format: what cannot be counted must not run.
 */
export function guardInsertions(code: string, format: "esm" | "cjs"): readonly Insertion[] {
  const options = { ecmaVersion: "latest", allowHashBang: true } as const;
  const program =
    format === "cjs"
      ? parse(code, { ...options, sourceType: "commonjs" })
      : parse(code, { ...options, sourceType: "module" });
  return stepsIn(program as unknown as SyntaxNode);
}

/** What goes into the body of a loop or function. */
interface Steps {
  readonly open: Insertion;
  readonly close?: Insertion;
}

/** Where the steps of a loop go; nothing for any other node. */
export function loopSteps(node: SyntaxNode): Steps | undefined {
  const body = LOOPS.has(node.type) ? nodeIn(node, "body") : undefined;
  if (!body) return undefined;
  if (body.type === "BlockStatement") return { open: [body.start + 1, `${STEP};`] };
  return { open: [body.start, `{${STEP};`], close: [body.end, "}"] };
}

/** Where the steps of a function or of the value of a field go; nothing for any other node. */
function callSteps(node: SyntaxNode): Steps | undefined {
  if (FUNCTIONS.has(node.type)) return functionSteps(nodeIn(node, "body"));
  const value = node.type === "PropertyDefinition" ? nodeIn(node, "value") : undefined;
  return value && !NAMED.has(value.type) ? around(value) : undefined;
}

function functionSteps(body: SyntaxNode | undefined): Steps | undefined {
  if (body?.type !== "BlockStatement") return body && around(body);
  const statements = nodesIn(body, "body");
  const first = statements.findIndex((statement) => typeof statement["directive"] !== "string");
  if (first === 0 || statements.length === 0) return { open: [body.start + 1, `${STEP};`] };
  // A directive counts at the very beginning only, and need not end with a semicolon.
  return { open: [statements[first]?.start ?? body.end - 1, `;${STEP};`] };
}

function around({ start, end }: SyntaxNode): Steps {
  return { open: [start, `(${STEP},`], close: [end, ")"] };
}

function stepsIn(program: SyntaxNode): readonly Insertion[] {
  const found: Steps[] = [];
  // No recursion: generated code nests deeper than a stack.
  const waiting: SyntaxNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const steps = loopSteps(node) ?? callSteps(node);
    if (steps) found.push(steps);
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
