import { parse } from "acorn";
import { isNode, nodeIn, nodesIn, type SyntaxNode } from "../deps/link/syntax-node.ts";
import type { Insertion } from "./insert-texts.ts";

/**
 * What is called at each turn of a loop and each entry of a function: `src/inside/step-guard.ts`. Code that is shown to others
 * as text, such as a function in a page, runs there too, where nobody has it.
 */
const STEP = "globalThis.tenrecStep?.()";

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
/** By these, a function may come back to itself; one that does nothing of the kind ends. */
const CALLS = new Set(["CallExpression", "NewExpression", "TaggedTemplateExpression", "ImportExpression"]);

/** What makes the loops and calls of a module countable, without a new line. Nothing for what is no JavaScript. */
export function guardInsertions(code: string): readonly Insertion[] {
  try {
    const options = { ecmaVersion: "latest", allowReturnOutsideFunction: true, allowHashBang: true } as const;
    return stepsIn(parse(code, { ...options, sourceType: "module" }) as unknown as SyntaxNode);
  } catch {
    // What is wrong with it is said by who runs it.
    return [];
  }
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

/** A function and whether it itself calls something; functions in it are looked at for themselves. */
interface FunctionFound {
  readonly body: SyntaxNode;
  calls: boolean;
}

function functionSteps(body: SyntaxNode): Steps {
  if (body.type !== "BlockStatement") return { open: [body.start, `(${STEP}, `], close: [body.end, ")"] };
  const statements = nodesIn(body, "body");
  const first = statements.findIndex((statement) => typeof statement["directive"] !== "string");
  if (first === 0) return { open: [body.start + 1, `${STEP};`] };
  // A directive counts at the very beginning only, and need not end with a semicolon.
  return { open: [statements[first]?.start ?? body.end - 1, `;${STEP};`] };
}

function stepsIn(program: SyntaxNode): readonly Insertion[] {
  const found: (Steps | FunctionFound)[] = [];
  // No recursion: generated code nests deeper than a stack.
  const waiting: [node: SyntaxNode, inside: FunctionFound][] = [[program, { body: program, calls: false }]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, around] = next;
    if (CALLS.has(node.type)) around.calls = true;
    const loop = loopSteps(node);
    if (loop) found.push(loop);
    const body = FUNCTIONS.has(node.type) ? nodeIn(node, "body") : undefined;
    const inside = body ? { body, calls: false } : around;
    if (inside !== around) found.push(inside);
    for (const key in node) {
      const value = node[key];
      if (typeof value !== "object" || value === null) continue;
      if (!Array.isArray(value)) {
        if (isNode(value)) waiting.push([value, inside]);
      } else for (const one of value) if (isNode(one)) waiting.push([one, inside]);
    }
  }
  const steps = found.flatMap((one) => ("open" in one ? [one] : one.calls ? [functionSteps(one.body)] : []));
  // Who is inside was found later, and closes earlier.
  const closes = steps.flatMap(({ close }) => (close ? [close] : [])).toReversed();
  return [...closes, ...steps.map(({ open }) => open)].toSorted(([a], [b]) => a - b);
}
