import type { FallbackTransform, ScriptProblem } from "../../graph/transform-script.ts";
import type { PageCompiler } from "./page-compiler.ts";

const MANIFEST = JSON.stringify({ dependencies: { "@babel/standalone": "8.0.6" } });

/** Babel is fetched and evaluated for the first file. */
const MOST_MS = 60_000;

/** Transforms decorators, namespaces and whatever else there is, by Babel in an isolate of its own: only for files with such. */
export function scriptFallback(compiler: PageCompiler): FallbackTransform {
  return async (path, source, options) => {
    const compiled = await compiler.compile({
      language: "script",
      manifest: { text: MANIFEST, lockfile: undefined, npmrc: undefined, imports: {} },
      input: { filename: path, source, id: path, script: options },
      signal: AbortSignal.timeout(MOST_MS),
    });
    if ("problem" in compiled) throw located(compiled.problem);
    return compiled.code;
  };
}

function located({ line, column, message }: ScriptProblem): Error {
  return Object.assign(new SyntaxError(message), line === undefined ? {} : { loc: { line, column } });
}
