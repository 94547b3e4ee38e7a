import type { PreviewRequest } from "@tenrec/protocol";
import type { PageCompiler } from "../client/compile/page-compiler.ts";
import { putLast } from "../put-last.ts";
import { AppBuilder, type AppBuilderOptions } from "./app-builder.ts";
import type { Build } from "./built-app.ts";

/** How many sessions' modules are kept in memory; the next tree of any other is read as a whole. */
const MOST_BUILDERS = 4;

/** A build reads files and transforms them; only what is downloaded for it can take long. */
const MOST_BUILD_MS = 60_000;

export interface SessionBuildersOptions extends Omit<AppBuilderOptions, "compiler"> {
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
    return new AppBuilder({ ...this.#options, compiler: this.#options.compilerFor?.(session) });
  }

  remove(session: string): void {
    this.#builders.delete(session);
  }
}
