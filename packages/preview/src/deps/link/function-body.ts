import { parse } from "acorn";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { moduleReferences, type Reference } from "./module-references.ts";
import { declaredBy } from "./patterns.ts";
import { nameOf, nodeIn, nodesIn, type SyntaxNode } from "./syntax-node.ts";

/** Where a binding comes from: all of a module, or one of its names. */
interface Source {
  readonly module: string;
  readonly name: string | undefined;
}

const STAR = `.forEach((key) => key !== "default" && key !== "__esModule" && !Object.hasOwn(exports, key) && `;

/**
 * An ES module as the body of a function with the parameters `exports` and `require`, of which the latter answers with what an
 * ES module sees of another module. Names are bound as in modules: what is exported can be changed, and what is imported
 * is looked up when it is used. Lines stay where they are.
 */
export function functionBody(source: string): string {
  const program = parse(source, { ecmaVersion: "latest", sourceType: "module" }) as unknown as SyntaxNode;
  const body = new FunctionBody(source, program);
  return body.text();
}

class FunctionBody {
  readonly #source: string;
  readonly #program: SyntaxNode;
  /** What no name in the source begins with. */
  readonly #prefix: string;
  readonly #modules = new Map<string, string>();
  readonly #bindings = new Map<string, Source>();
  readonly #exports: (readonly [name: string, expression: string])[] = [];
  readonly #stars: string[] = [];
  readonly #edits: Edit[] = [];

  constructor(source: string, program: SyntaxNode) {
    this.#source = source;
    this.#program = program;
    let prefix = "$m";
    while (source.includes(prefix)) prefix += "$";
    this.#prefix = prefix;
  }

  text(): string {
    const statements = nodesIn(this.#program, "body");
    for (const statement of statements) if (statement.type === "ImportDeclaration") this.#import(statement);
    for (const statement of statements) this.#export(statement);
    this.#rewriteReferences();
    return this.#head() + applyEdits(this.#source, this.#edits);
  }

  /** Before all else: who imports this module in a circle finds its functions, as it would in modules. */
  #head(): string {
    const own = this.#exports.map(
      ([name, text]) =>
        `Object.defineProperty(exports, ${JSON.stringify(name)}, { enumerable: true, configurable: true, get: () => ${text} });`,
    );
    const modules = [...this.#modules].map(([from, name]) => `const ${name} = require(${JSON.stringify(from)});`);
    const stars = this.#stars.map(
      (name) =>
        `Object.keys(${name})${STAR}Object.defineProperty(exports, key, { enumerable: true, configurable: true, get: () => ${name}[key] }));`,
    );
    const flag = `Object.defineProperty(exports, "__esModule", { value: true });`;
    return `"use strict";${[flag, ...own, ...modules, ...stars].join("")}`;
  }

  #import(statement: SyntaxNode): void {
    const module = this.#module(statement);
    for (const specifier of nodesIn(statement, "specifiers")) {
      const local = nameOf(nodeIn(specifier, "local")) ?? "";
      const imported = nameOf(nodeIn(specifier, "imported"));
      const name = specifier.type === "ImportNamespaceSpecifier" ? undefined : (imported ?? "default");
      this.#bindings.set(local, { module, name });
    }
    this.#remove(statement);
  }

  #export(statement: SyntaxNode): void {
    switch (statement.type) {
      case "ExportAllDeclaration": {
        const name = nameOf(nodeIn(statement, "exported"));
        const module = this.#module(statement);
        if (name === undefined) this.#stars.push(module);
        else this.#exports.push([name, module]);
        return this.#remove(statement);
      }
      case "ExportDefaultDeclaration":
        return this.#exportDefault(statement);
      case "ExportNamedDeclaration":
        return this.#exportNamed(statement);
      default:
    }
  }

  #exportNamed(statement: SyntaxNode): void {
    const declaration = nodeIn(statement, "declaration");
    if (declaration) {
      for (const name of declaredBy(declaration)) this.#exports.push([name, name]);
      this.#edits.push([statement.start, declaration.start, ""]);
      return;
    }
    const module = nodeIn(statement, "source") && this.#module(statement);
    for (const specifier of nodesIn(statement, "specifiers")) {
      const local = nameOf(nodeIn(specifier, "local")) ?? "";
      const name = nameOf(nodeIn(specifier, "exported")) ?? "";
      const source = module === undefined ? this.#bindings.get(local) : { module, name: local };
      this.#exports.push([name, source ? access(source) : local]);
    }
    this.#remove(statement);
  }

  #exportDefault(statement: SyntaxNode): void {
    const declaration = nodeIn(statement, "declaration");
    if (!declaration) return;
    const own = declaration.type.endsWith("Declaration") ? nameOf(nodeIn(declaration, "id")) : undefined;
    const name = own ?? `${this.#prefix}default`;
    this.#exports.push(["default", name]);
    if (own !== undefined) return void this.#edits.push([statement.start, declaration.start, ""]);
    const start = /^(?:async\s+)?function\s*\*?/.exec(this.#source.slice(declaration.start, declaration.end))?.[0];
    if (declaration.type === "FunctionDeclaration" && start !== undefined) {
      const at = declaration.start + start.length;
      this.#edits.push([statement.start, declaration.start, ""], [at, at, ` ${name}`]);
      return;
    }
    this.#edits.push([
      statement.start,
      declaration.start,
      `const ${name} = ${this.#lines(statement.start, declaration.start)}`,
    ]);
    this.#edits.push([statement.end, statement.end, ";"]);
  }

  #rewriteReferences(): void {
    const names = new Set(this.#bindings.keys());
    if (names.size === 0) return;
    const starts = statementStarts(this.#program);
    for (const reference of moduleReferences(this.#program, names)) {
      const { node } = reference;
      const source = this.#bindings.get(String(node["name"]));
      if (source) this.#edits.push([node.start, node.end, written(reference, source, starts)]);
    }
  }

  /** The variable of the module that a statement names. */
  #module(statement: SyntaxNode): string {
    const from = nameOf(nodeIn(statement, "source")) ?? "";
    const known = this.#modules.get(from) ?? `${this.#prefix}${this.#modules.size}`;
    this.#modules.set(from, known);
    return known;
  }

  #remove({ start, end }: SyntaxNode): void {
    this.#edits.push([start, end, this.#lines(start, end)]);
  }

  /** The line ends between two places. */
  #lines(start: number, end: number): string {
    return this.#source.slice(start, end).replaceAll(/[^\n]/g, "");
  }
}

function access({ module, name }: Source): string {
  if (name === undefined) return module;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${module}.${name}` : `${module}[${JSON.stringify(name)}]`;
}

/** What is called keeps no `this`: it was no method. */
function written({ node, parent }: Reference, source: Source, statementsAt: ReadonlySet<number>): string {
  const text = access(source);
  if (parent["shorthand"] === true) return `${String(node["name"])}: ${text}`;
  if (source.name === undefined || (parent["callee"] !== node && parent["tag"] !== node)) return text;
  if (parent.type === "NewExpression") return text;
  // A bracket at the start of a line would go on with the line before.
  return `${statementsAt.has(node.start) ? ";" : ""}(0, ${text})`;
}

/** Where in lists of statements an expression begins. */
function statementStarts(program: SyntaxNode): ReadonlySet<number> {
  const starts = new Set<number>();
  const open: unknown[] = [program];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = next as SyntaxNode;
    for (const key in node) {
      const value = node[key];
      if (!Array.isArray(value)) {
        if (typeof value === "object" && value !== null && "type" in value) open.push(value);
        continue;
      }
      for (const one of value as (SyntaxNode | null)[]) {
        if (one?.type === "ExpressionStatement") starts.add(one.start);
        if (one) open.push(one);
      }
    }
  }
  return starts;
}
