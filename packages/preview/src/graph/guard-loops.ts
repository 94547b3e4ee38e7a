import { parse } from "acorn";
import { isNode, nodeIn, nodesIn, type SyntaxNode } from "../deps/link/syntax-node.ts";

/** Something put into a text: where, and what. Of those at one place, the first of the list comes first. */
export type Insertion = readonly [offset: number, text: string];

/**
 * What is called at each turn of a loop and each entry of a function: `src/inside/step-guard.ts`. Code that is shown to others
 * as text, such as a function in a page, runs there too, where nobody has it.
 */
const STEP = "globalThis.tenrecStep?.()";

const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
/** By these, a function may come back to itself; one that does nothing of the kind ends. */
const CALL = /^(?:CallExpression|NewExpression|TaggedTemplateExpression|ImportExpression)$/;

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

/** Where the steps of a loop go; nothing for any other node. */
export function loopSteps(node: SyntaxNode): { readonly open: Insertion; readonly close?: Insertion } | undefined {
  const body = LOOP.test(node.type) ? nodeIn(node, "body") : undefined;
  if (!body) return undefined;
  if (body.type === "BlockStatement") return { open: [body.start + 1, `${STEP};`] };
  return { open: [body.start, `{${STEP};`], close: [body.end, "}"] };
}

function functionSteps(node: SyntaxNode): { readonly open: Insertion; readonly close?: Insertion } | undefined {
  const body = FUNCTION.test(node.type) ? nodeIn(node, "body") : undefined;
  if (!body || !calls(body)) return undefined;
  if (body.type !== "BlockStatement") return { open: [body.start, `(${STEP}, `], close: [body.end, ")"] };
  const statements = nodesIn(body, "body");
  const first = statements.findIndex((statement) => typeof statement["directive"] !== "string");
  if (first === 0) return { open: [body.start + 1, `${STEP};`] };
  // A directive counts at the very beginning only, and need not end with a semicolon.
  return { open: [statements[first]?.start ?? body.end - 1, `;${STEP};`] };
}

function stepsIn(program: SyntaxNode): readonly Insertion[] {
  const opens: Insertion[] = [];
  const closes: Insertion[] = [];
  // No recursion: generated code nests deeper than a stack.
  const waiting: SyntaxNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const steps = loopSteps(node) ?? functionSteps(node);
    if (steps) opens.push(steps.open);
    if (steps?.close) closes.push(steps.close);
    waiting.push(...children(node));
  }
  // Who is inside was found later, and closes earlier.
  return [...closes.toReversed(), ...opens].toSorted(([a], [b]) => a - b);
}

function children(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** Whether this code itself calls something; functions in it are looked at for themselves. */
function calls(body: SyntaxNode): boolean {
  const waiting: SyntaxNode[] = [body];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (CALL.test(node.type)) return true;
    if (!FUNCTION.test(node.type)) waiting.push(...children(node));
  }
  return false;
}
