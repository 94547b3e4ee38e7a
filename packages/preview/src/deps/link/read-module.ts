import { parse } from "acorn";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { cjsExports } from "./cjs-exports.ts";
import { NODE_ENV } from "./constant-test.ts";
import { type ExportFacts, esmExports } from "./esm-exports.ts";
import { checkNames, stepsOf } from "../../graph/guard-loops.ts";
import { isPath, nameOf, nodeIn, nodesIn, type SyntaxNode, stringOf } from "./syntax-node.ts";
import { type Place, walk } from "./walk.ts";

/** How a file asks for another one. */
export type ImportKind = "import" | "require";

/** What the syntax of a file says. */
export interface ModuleFacts {
  readonly isEsm: boolean;
  /** The source, with what is known put in: the mode, and `$import` for `import()`. Lines stay where they are. */
  readonly source: string;
  readonly imports: ReadonlyMap<string, ImportKind>;
  readonly exports: ExportFacts;
  /** It waits outside of functions, which a file of a bundle cannot. */
  readonly waits: boolean;
}

export interface ReadOptions {
  /** What `process.env.NODE_ENV` is. */
  readonly mode: string;
  /** What `import.meta.env` is, as an expression; undefined leaves it as it is. */
  readonly env: string | undefined;
  /** Whether loops and calls are counted, as in code that runs beside the agent. */
  readonly guarded: boolean;
}

const MODULE = /^(?:Import|Export(?:Named|All|Default))Declaration$/;

/** Throws a `SyntaxError` for what is no JavaScript of a module, which CommonJS in a bundle has to be too. */
export function readModule(source: string, { mode, env, guarded }: ReadOptions): ModuleFacts {
  const text = source.replace(/^\uFEFF/, "").replace(/^#!/, "//");
  const program = parse(text, {
    ecmaVersion: "latest",
    sourceType: "module",
    allowReturnOutsideFunction: true,
  }) as unknown as SyntaxNode;
  const isEsm = nodesIn(program, "body").some(({ type }) => MODULE.test(type));
  const imports = new Map<string, ImportKind>();
  const taken = isEsm ? declaredIn(program) : new Set<string>();
  const edits: Edit[] = [];
  const closes: Edit[] = [];
  const cjs = cjsExports();
  let waits = false;
  let hasMeta = false;
  walk(program, mode, (node, place) => {
    addImport(imports, node, taken);
    const edit = editOf(node, place, mode, env) ?? renaming(node, place, taken);
    if (guarded) checkNames(node, text);
    for (const { open, close } of guarded ? stepsOf(node) : []) {
      edits.push([open[0], ...open]);
      if (close) closes.push([close[0], ...close]);
    }
    if (edit) edits.push(edit);
    if (!isEsm) cjs.visit(node);
    waits ||= isWaiting(node) && !place.inFunction;
    hasMeta ||= node.type === "MetaProperty" && isPath(nodeIn(node, "meta"), "import");
  });
  const exports = isEsm ? esmExports(program) : cjs.facts();
  return {
    isEsm: isEsm || hasMeta,
    source: applyEdits(text, [...closes.toReversed(), ...edits]),
    imports,
    exports,
    waits,
  };
}

function isWaiting({ type, await: isAwait }: SyntaxNode): boolean {
  return type === "AwaitExpression" || (type === "ForOfStatement" && isAwait === true);
}

/** Those names of a CommonJS wrapper that a module has for something of its own. */
function declaredIn(program: SyntaxNode): ReadonlySet<string> {
  const declarations = nodesIn(program, "body").map((one) => nodeIn(one, "declaration") ?? one);
  const ids = declarations.flatMap((one) => [one, ...nodesIn(one, "declarations"), ...nodesIn(one, "specifiers")]);
  const names = ids.map((one) => nameOf(nodeIn(one, "id") ?? nodeIn(one, "local")));
  return new Set(["require", "exports"].filter((name) => names.includes(name)));
}

/** Such a name becomes another one, as the wrapper needs it. */
function renaming(node: SyntaxNode, { parent }: Place, taken: ReadonlySet<string>): Edit | undefined {
  if (node.type !== "Identifier" || !taken.has(String(node["name"])) || !parent) return undefined;
  const name = String(node["name"]);
  const isFree = parent["computed"] === true || parent["local"] === node;
  if (parent["shorthand"] === true)
    return parent["value"] === node ? [node.start, node.end, `${name}: $${name}`] : undefined;
  const isKey = ["key", "property", "imported", "exported"].some((field) => parent[field] === node);
  return isKey && !isFree ? undefined : [node.start, node.end, `$${name}`];
}

function addImport(imports: Map<string, ImportKind>, node: SyntaxNode, taken: ReadonlySet<string>): void {
  const isImport = MODULE.test(node.type) || node.type === "ImportExpression";
  if (isImport) {
    const from = stringOf(nodeIn(node, "source"));
    if (from !== undefined) imports.set(from, "import");
  } else if (!taken.has("require") && node.type === "CallExpression" && isPath(nodeIn(node, "callee"), "require")) {
    const from = stringOf(nodesIn(node, "arguments")[0]);
    if (from !== undefined && !imports.has(from)) imports.set(from, "require");
  }
}

/** What bundlers are expected to put in: https://github.com/vuejs/core/tree/main/packages/vue#bundler-build-feature-flags */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ["__VUE_OPTIONS_API__", "true"],
  ["__VUE_PROD_DEVTOOLS__", "false"],
  ["__VUE_PROD_HYDRATION_MISMATCH_DETAILS__", "false"],
]);

function editOf(node: SyntaxNode, { parent }: Place, mode: string, env: string | undefined): Edit | undefined {
  if (node.type === "ImportExpression") return [node.start, node.start + "import".length, "$import"];
  if (node.type === "Identifier") {
    const flag = parent?.["property"] === node ? undefined : FLAGS.get(String(node["name"]));
    return flag === undefined ? undefined : [node.start, node.end, flag];
  }
  if (node.type !== "MemberExpression") return undefined;
  const isAssigned = parent?.type === "AssignmentExpression" && parent["left"] === node;
  if (isPath(node, NODE_ENV) && !isAssigned) return [node.start, node.end, JSON.stringify(mode)];
  const isEnv =
    env !== undefined &&
    nodeIn(node, "object", "MetaProperty") !== undefined &&
    isPath(nodeIn(node, "property"), "env");
  return isEnv ? [node.start, node.end, env] : undefined;
}
