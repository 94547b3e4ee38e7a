import { type Options, Parser } from "acorn";
import { nodeIn, nodesIn, type SyntaxNode } from "../deps/link/syntax-node.ts";
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
  const finder = new StepFinder({ ...options, sourceType: format === "cjs" ? "commonjs" : "module" }, code);
  finder.parse();
  return finder.insertions();
}

/** What plug-ins of acorn build upon, which its types leave out. */
const Base = Parser as unknown as new (
  options: Options,
  code: string,
) => {
  parse(): SyntaxNode;
  finishNode(node: SyntaxNode, type: string): SyntaxNode;
};

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

/** Finds the steps as nodes are made: nothing has to walk the whole tree once more. */
class StepFinder extends Base {
  readonly steps: Steps[] = [];

  override finishNode(node: SyntaxNode, type: string): SyntaxNode {
    const made = super.finishNode(node, type);
    const steps = loopSteps(made) ?? callSteps(made);
    if (steps) this.steps.push(steps);
    return made;
  }

  /** Who is inside was found before, and closes earlier. */
  insertions(): readonly Insertion[] {
    const closes = this.steps.flatMap(({ close }) => (close ? [close] : []));
    const opens = this.steps.map(({ open }) => open);
    return [...closes, ...opens].toSorted(([a], [b]) => a - b);
  }
}
