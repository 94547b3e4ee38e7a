import type { Thrown } from "../inside/thrown.ts";
import { isStop } from "../report/stop.ts";
import type { AppLoader, LiveApp } from "./app-loader.ts";
import type { Facets } from "./facets.ts";

/** Apps that were stopped because they ran without an end. Nothing in their isolates runs any more, so they are given up. */
export class StoppedApps {
  readonly #loader: AppLoader;
  readonly #facets: Facets;
  readonly #told = new WeakSet<WorkerStub>();

  constructor(loader: AppLoader, facets: Facets) {
    this.#loader = loader;
    this.#facets = facets;
  }

  /** Looks at what an app, or an object of it, has failed with. */
  onError(live: LiveApp, error: unknown): void {
    const { name, message } = error as Partial<Error>;
    if (isStop({ name: String(name), message: String(message) })) this.giveUp(live);
  }

  giveUp({ id }: LiveApp): void {
    this.#loader.giveUp(id);
    this.#facets.giveUp(id);
  }

  /** Whether an exception is to be reported: that an app was stopped comes from all sides, and is told once. */
  isNews(live: LiveApp, exception: Thrown): boolean {
    if (!isStop(exception)) return true;
    const isFirst = !this.#told.has(live.stub);
    this.#told.add(live.stub);
    return isFirst;
  }
}
