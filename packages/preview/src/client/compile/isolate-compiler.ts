import type { Dependencies, DependencyBundler } from "../../deps/dependencies.ts";
import { relativeName } from "../../graph/module-name.ts";
import { versionsIn } from "../../graph/read-package.ts";
import { sha256 } from "../../graph/sha256.ts";
import type { ModuleContent } from "../../module-content.ts";
import type { Compiled, CompileInput, CompileRequest, PageCompiler, PageLanguage } from "./page-compiler.ts";
import { SCRIPT_PROGRAM } from "./script-program.ts";
import { SVELTE_PROGRAM } from "./svelte-program.ts";
import { TAILWIND_PROGRAM } from "./tailwind-program.ts";
import { VUE_PROGRAM } from "./vue-program.ts";

export interface IsolateCompilerOptions {
  /** The Worker Loader. */
  readonly loader: WorkerLoader;
  readonly dependencies: DependencyBundler;
  /** Called before each use of a compiler, with the id of its Worker. Throws where it may not be loaded. */
  readonly onUse: (worker: string) => void;
}

/** What a loaded compiler answers to. */
interface CompilerWorker {
  compile(input: CompileInput): Promise<Compiled>;
}

interface Program {
  readonly package: string;
  readonly text: string;
  /** What it imports by name, where the package does not show what it exports. */
  readonly names?: readonly string[];
}

const PROGRAMS: Readonly<Record<PageLanguage, Program>> = {
  vue: { package: "vue/compiler-sfc", text: VUE_PROGRAM },
  svelte: { package: "svelte/compiler", text: SVELTE_PROGRAM },
  tailwind: { package: "tailwindcss", text: TAILWIND_PROGRAM },
  script: { package: "@babel/standalone/babel.min.js", text: SCRIPT_PROGRAM, names: ["transform"] },
};

const ENTRY = `import { WorkerEntrypoint } from "cloudflare:workers";
import { compile } from "./program.js";
export default class extends WorkerEntrypoint {
  async compile(input) {
    try {
      return await compile(input);
    } catch (error) {
      // What a compiler did not expect is something about the file, too.
      return { problem: { message: String(error?.message ?? error) } };
    }
  }
}
`;
const DATE = "2026-01-01";

/** For one file; a style sheet looks through all of a project. */
const MOST_CPU_MS = 30_000;

/**
 * Runs each compiler in an isolate of its own, without network and bindings, loaded from the packages of the app. It is the
 * version that the app asks for, its code weighs nothing in the Worker that hosts previews, and what it does stays there.
 */
export function createIsolateCompiler({ loader, dependencies, onUse }: IsolateCompilerOptions): PageCompiler {
  return {
    async compile(request) {
      const made = await assemble(dependencies, request);
      if ("problem" in made) return made;
      onUse(made.id);
      // One isolate for a version of a compiler, for as long as the platform keeps it.
      const worker = loader.get(made.id, () => ({
        compatibilityDate: DATE,
        compatibilityFlags: ["nodejs_compat"],
        mainModule: "entry.js",
        modules: Object.fromEntries(made.modules) as WorkerLoaderWorkerCode["modules"],
        env: {},
        globalOutbound: null,
        limits: { cpuMs: MOST_CPU_MS },
      }));
      const compiler = worker.getEntrypoint() as unknown as CompilerWorker;
      const answer = await untilAborted(compiler.compile(request.input), request.signal);
      const compiled = { ...answer };
      // What comes over RPC is kept alive until it is let go.
      (answer as Partial<Disposable>)[Symbol.dispose]?.();
      return compiled;
    },
  };
}

async function assemble(
  bundler: DependencyBundler,
  { language, manifest, packages = { styles: [], plugins: [] }, signal }: CompileRequest,
): Promise<
  | { readonly id: string; readonly modules: ReadonlyMap<string, ModuleContent> }
  | Extract<Compiled, { problem: unknown }>
> {
  const { package: own, text, names = [] } = PROGRAMS[language];
  const bundle = (specifiers: readonly string[], conditions: readonly string[]): Promise<Dependencies> =>
    bundler.bundle({
      specifiers,
      names: new Map([[own, names]]),
      ...versionsIn(manifest),
      target: "worker",
      conditions,
      signal,
    });
  const code = await bundle([own, ...packages.plugins], ["workerd", "worker", "browser"]);
  const sheets = packages.styles.length === 0 ? undefined : await bundle(packages.styles, ["style"]);
  const [problem] = [...code.problems, ...(sheets?.problems ?? [])];
  if (problem) return { problem };
  const program = [
    ...table("STYLES", packages.styles, "default"),
    ...table("PLUGINS", packages.plugins, "all"),
    text,
  ].join("\n");
  const imports = new Map([
    ...code.imports,
    ...[...(sheets?.imports ?? [])].map(([key, name]) => [`${key}?style`, name] as const),
  ]);
  const js = program.replaceAll(/(?<=^import .* from )"(.*)"/gm, (written, specifier: string) => {
    const name = imports.get(specifier);
    return name === undefined ? written : JSON.stringify(relativeName("program.js", name));
  });
  const modules = new Map<string, ModuleContent>([...code.modules, ...(sheets?.modules ?? [])]);
  modules.set("entry.js", { js: ENTRY }).set("program.js", { js });
  const id = await sha256(JSON.stringify([language, js, ENTRY, [...modules.keys()].toSorted()]));
  return { id: `tenrec-compiler-${id.slice(0, 32)}`, modules };
}

/** A variable with modules by their names. */
function table(variable: string, specifiers: readonly string[], kind: "default" | "all"): readonly string[] {
  const local = (index: number): string => `${variable}${index}`;
  return [
    ...specifiers.map((specifier, index) =>
      kind === "default"
        ? `import ${local(index)} from ${JSON.stringify(`${specifier}?style`)};`
        : `import * as ${local(index)} from ${JSON.stringify(specifier)};`,
    ),
    `const ${variable} = {${specifiers.map((specifier, index) => `${JSON.stringify(specifier)}: ${local(index)}`).join(", ")}};`,
  ];
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
