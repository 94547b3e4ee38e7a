import { parse as parseSyntax } from "acorn";
import { type ImportSpecifier, parse } from "es-module-lexer/minimal/js";
import { type Options, transform } from "sucrase";
import { positionOf } from "../report/position.ts";
import { guardInsertions } from "./guard-loops.ts";
import { type Insertion, insertTexts } from "./insert-texts.ts";
import { type JsxOptions, withPragmas } from "./jsx-options.ts";

/** Raised whenever the same source may give other code, so that nothing made by an older version is used. */
export const TRANSFORMER_VERSION = "5";

/** A place in the code where another module is named. */
export interface ImportSite {
  readonly specifier: string;
  /** From where to where the specifier stands, without its quotes, or with them where it is an argument of a call. */
  readonly start: number;
  readonly end: number;
  /** Whether `start` and `end` take in the quotes. */
  readonly quoted: boolean;
  /** The names that are imported; undefined where that is all, or not known. */
  readonly names: readonly string[];
}

export interface Script {
  readonly code: string;
  readonly format: "esm" | "cjs";
  readonly sites: readonly ImportSite[];
  /** What was put into it to end what does not end. */
  readonly insertions?: readonly Insertion[];
}

export interface ScriptProblem {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** How a file is written out, as its project says. */
export interface TransformOptions {
  readonly jsx: JsxOptions;
  /** Whether decorators are those of older TypeScript. */
  readonly legacyDecorators: boolean;
  /** Whether loops and calls are counted, as in code that runs beside the agent. */
  readonly guarded: boolean;
}

/** Makes JavaScript of what this transformer cannot; throws what `ScriptProblem` can be read from. */
export type FallbackTransform = (path: string, source: string, options: TransformOptions) => Promise<string>;

/** Writes TypeScript and JSX out as JavaScript whose lines are those of the source. */
export async function transformScript(
  path: string,
  source: string,
  options: TransformOptions,
  fallback?: FallbackTransform,
): Promise<Script | ScriptProblem> {
  const jsx = withPragmas(options.jsx, source);
  try {
    const beyond = beyondUs(path, source, jsx);
    if (beyond && !fallback) return beyond;
    const made = beyond && fallback ? fallback(path, source, { ...options, jsx }) : plainScript(path, source, jsx);
    const plain = await made;
    const script = scan(path, plain);
    return options.guarded ? guardedScript(script) : script;
  } catch (error) {
    return problemOf(error);
  }
}

/** Throws a `SyntaxError` for what cannot be guarded. */
function guardedScript(script: Script): Script {
  const insertions = guardInsertions(script.code, script.format);
  const code = insertTexts(script.code, insertions);
  let moved = 0;
  let next = 0;
  const sites = script.sites.map((site) => {
    for (; (insertions[next]?.[0] ?? Infinity) <= site.start; next += 1) moved += insertions[next]?.[1].length ?? 0;
    return { ...site, start: site.start + moved, end: site.end + moved };
  });
  return { code, format: script.format, sites, insertions };
}

function plainScript(path: string, source: string, jsx: JsxOptions): string {
  return /\.[cm]?js$/.test(path) ? source : transform(source, optionsFor(path, jsx)).code;
}

const NAMESPACE = /^[ \t]*(?:export\s+)?(?:namespace|module)\s+[\w$.]+\s*\{/m;

/** What of TypeScript sucrase would drop or leave as it is without a word. */
function beyondUs(path: string, source: string, jsx: JsxOptions): ScriptProblem | undefined {
  const namespace = /\.[cm]?tsx?$/.test(path) ? NAMESPACE.exec(source) : null;
  if (namespace) {
    const message = "a preview does not transform namespaces: make it a module, or an object";
    return { ...positionOf(source, namespace.index + namespace[0].search(/\S/)), message };
  }
  const line = DECORATOR.test(source) ? decoratorLine(plainScript(path, source, jsx)) : undefined;
  return line === undefined ? undefined : { line, column: 1, message: "a preview does not transform decorators" };
}

/** What is before and at the start of a decorator, as much in texts is; lines of JSDoc and `{@link}` are not. */
const DECORATOR = /(?:^[ \t]*|[;,=(})][ \t]*|\{[ \t]+|\bexport[ \t]+(?:default[ \t]+)?)@[A-Za-z_$(]/m;

/** The line of the first decorator; undefined where there is none. */
function decoratorLine(code: string): number | undefined {
  try {
    parseSyntax(code, { ecmaVersion: "latest", sourceType: "module", allowReturnOutsideFunction: true });
    return undefined;
  } catch (error) {
    const { pos, loc } = error as { pos?: number; loc?: { line: number } };
    return pos !== undefined && code[pos] === "@" ? loc?.line : undefined;
  }
}

function optionsFor(path: string, jsx: JsxOptions): Options {
  return {
    transforms: [
      ...(/\.[cm]?ts$/.test(path) ? [] : ["jsx" as const]),
      ...(path.endsWith(".jsx") ? [] : ["typescript" as const]),
    ],
    disableESTransforms: true,
    production: true,
    filePath: path,
    jsxRuntime: jsx.runtime,
    ...(jsx.importSource === undefined ? {} : { jsxImportSource: jsx.importSource }),
    ...(jsx.factory === undefined ? {} : { jsxPragma: jsx.factory }),
    ...(jsx.fragment === undefined ? {} : { jsxFragmentPragma: jsx.fragment }),
  };
}

const REQUIRE = /(?<![\w$.])require\s*\(\s*(["'])((?:(?!\1)[^\\\n])+)\1\s*\)/g;

function scan(path: string, text: string): Script {
  const [imports, exports] = parse(text, path);
  const code = withoutAttributes(text, imports);
  const isModule = exports.length > 0 || imports.some(({ d }) => d === -1 || d === -2);
  const commonJs =
    !isModule && (/\.c[jt]s$/.test(path) || /\b(module\.exports|exports\.[\w$]+\s*=|require\s*\()/.test(code));
  if (!commonJs) return { code, format: "esm", sites: imports.flatMap((site) => esmSite(code, site)) };
  const dynamic = imports.flatMap((site) => esmSite(code, site));
  const required = [...code.matchAll(REQUIRE)].map((match) => requireSite(match));
  return { code, format: "cjs", sites: [...dynamic, ...required].toSorted((a, b) => a.start - b.start) };
}

/** Blanks out `with { type: "json" }`: what a module is, its name has said, and workerd refuses to be told. */
function withoutAttributes(text: string, imports: readonly ImportSpecifier[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { a, e, se, d } of imports) {
    const [from, to] = d === -1 ? [e + 1, se] : [e, se - 1];
    // What is inside of others is blank already.
    if (a === -1 || from < done) continue;
    pieces.push(text.slice(done, from), text.slice(from, to).replaceAll(/[^\n]/g, " "));
    done = to;
  }
  return pieces.join("") + text.slice(done);
}

function esmSite(code: string, { n, s, e, d, ss }: ImportSpecifier): ImportSite[] {
  // One within the attributes of another is blank by now.
  if (n === undefined || d === -2 || code[s] === " ") return [];
  const quoted = d !== -1;
  return [{ specifier: n, start: s, end: e, quoted, names: quoted ? [] : importedNames(code.slice(ss, s)) }];
}

function requireSite(match: RegExpMatchArray): ImportSite {
  const specifier = match[2] ?? "";
  const start = (match.index ?? 0) + match[0].lastIndexOf(specifier);
  return { specifier, start, end: start + specifier.length, quoted: false, names: [] };
}

/** The names between the braces of an import or export statement, as the other module calls them. */
function importedNames(statement: string): string[] {
  const list = /\{([^}]*)\}/.exec(statement)?.[1] ?? "";
  return list
    .split(",")
    .map((part) => part.trim().split(/\s+as\s+/, 1)[0] ?? "")
    .filter((name) => /^[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u.test(name));
}

interface Located {
  readonly loc?: { readonly line: number; readonly column: number };
  /** Of acorn alone, whose columns begin at 0. */
  readonly raisedAt?: number;
  readonly line?: number;
  readonly col?: number;
}

function problemOf(error: unknown): ScriptProblem {
  if (!(error instanceof Error)) return { message: String(error) };
  // Parsers call themselves for what is inside.
  if (error instanceof RangeError) return { message: "it nests too deep, or one of its expressions is too long" };
  const { loc, raisedAt } = error as Located;
  const message = error.message.replace(/^Error transforming [^:]+: /, "").replace(/ \(\d+:\d+\)$/, "");
  if (loc) return { line: loc.line, column: loc.column + (raisedAt === undefined ? 0 : 1), message };
  const place = /@:(\d+):(\d+)$/.exec(error.message);
  return place ? { line: Number(place[1]), column: Number(place[2]), message: "syntax error" } : { message };
}
