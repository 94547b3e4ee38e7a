import { getLineInfo, type Options, Parser } from "acorn";
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
 * calls them without an end, as those of an iterator, and a getter reaches others by their names alone. What parameters run
 * comes before the body, so it counts by itself. Throws a `SyntaxError` for what is no JavaScript of its format, and for what
 * would take the name of the step away: what cannot be counted must not run.
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
  readonly input: string;
  /** Whether what is being parsed is strict. */
  readonly strict: boolean;
  parse(): SyntaxNode;
  finishNode(node: SyntaxNode, type: string): SyntaxNode;
};

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
  if (node.type === "Identifier" && node["name"] === "tnr$") throw problemAt(node, code, "the name tnr$ is taken");
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
  return { open: [start, `(${STEP},`], close: [end, ")"] };
}

/** Finds the steps as nodes are made: nothing has to walk the whole tree once more. */
class StepFinder extends Base {
  readonly steps: Steps[] = [];

  override finishNode(node: SyntaxNode, type: string): SyntaxNode {
    const made = super.finishNode(node, type);
    checkNames(made, this.input);
    this.steps.push(...stepsOf(made));
    if (!this.strict) this.steps.push(...evalSteps(made));
    return made;
  }

  /** Who is inside was found before, and closes earlier. */
  insertions(): readonly Insertion[] {
    const closes = this.steps.flatMap(({ close }) => (close ? [close] : []));
    const opens = this.steps.map(({ open }) => open);
    return [...closes, ...opens].toSorted(([a], [b]) => a - b);
  }
}
