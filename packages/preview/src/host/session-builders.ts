import type { PreviewRequest } from "@tenrec/protocol";
import type { PageCompiler } from "../client/compile/page-compiler.ts";
import { scriptFallback } from "../client/compile/script-fallback.ts";
import type { TransformCache } from "../graph/transform-cache.ts";
import type { FallbackTransform } from "../graph/transform-script.ts";
import { putLast } from "../put-last.ts";
import { AppBuilder, type AppBuilderOptions } from "./app-builder.ts";
import type { Build } from "./built-app.ts";

/** How many sessions' modules are kept in memory; the next tree of any other is read as a whole. */
const MOST_BUILDERS = 4;

/** A build reads files and transforms them; only what is downloaded for it can take long. */
const MOST_BUILD_MS = 60_000;

export interface SessionBuildersOptions extends Omit<AppBuilderOptions, "compiler" | "transform"> {
  readonly transforms: TransformCache;
  /** For what `transforms` cannot do. Default: Babel, where there is a compiler. */
  readonly fallback: FallbackTransform | undefined;
  /** Translates what browsers do not take, for one session. */
  readonly compilerFor: ((session: string) => PageCompiler) | undefined;
}

/** Builds the trees of sessions, those of one session one after another. The session used longest ago is forgotten first. */
export class SessionBuilders {
  readonly #options: SessionBuildersOptions;
  readonly #builders = new Map<string, { readonly builder: AppBuilder; last: Promise<unknown> }>();

  constructor(options: SessionBuildersOptions) {
    this.#options = options;
  }

  build(request: PreviewRequest): Promise<Build> {
    const { session } = request;
    const entry = this.#builders.get(session) ?? { builder: this.#builder(session), last: Promise.resolve() };
    putLast(this.#builders, session, entry, MOST_BUILDERS);
    const run = (): Promise<Build> => entry.builder.build(request, AbortSignal.timeout(MOST_BUILD_MS));
    const build = entry.last.then(run, run);
    entry.last = build;
    return build;
  }

  #builder(session: string): AppBuilder {
    const { transforms, compilerFor, ...options } = this.#options;
    const compiler = compilerFor?.(session);
    const fallback = options.fallback ?? (compiler && scriptFallback(compiler));
    return new AppBuilder({
      ...options,
      compiler,
      transform: (path, text, hash, how) => transforms.transform(path, text, hash, how, fallback),
    });
  }

  remove(session: string): void {
    this.#builders.delete(session);
  }
}
