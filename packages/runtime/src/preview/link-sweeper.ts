import { errorJson } from "@tenrec/protocol";
import type { LifecycleJobs } from "agents/lifecycle";
import type { Frozen, GoneLink, PreviewLinks } from "./preview-links.ts";

/** Wakes the object for the link that expires next. */
export const PREVIEW_LINKS = "preview-links";

/** When what could not be freed is tried again, in milliseconds. */
const AGAIN_MS = 60_000;

export interface LinkSweeperOptions {
  readonly links: PreviewLinks;
  readonly jobs: Pick<LifecycleJobs, "get" | "push" | "cancel">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends what is open of links. */
  readonly end: (links: readonly number[]) => void;
  /** Deletes what the app of a link to a turn stored. */
  readonly free: (session: string, frozen: Frozen) => Promise<void>;
}

/** Ends what is open of links that are no more, and frees what their apps stored, which nobody can see any more. */
export class LinkSweeper {
  readonly #options: LinkSweeperOptions;
  #last: Promise<void> = Promise.resolve();

  constructor(options: LinkSweeperOptions) {
    this.#options = options;
  }

  /** One after another: the turn of a link that is gone may have another one right after. Throws what `free` throws. */
  sweep(): Promise<void> {
    const run = (): Promise<void> => this.#run();
    this.#last = this.#last.then(run, run);
    return this.#last;
  }

  /** For the job: what fails is tried again later. */
  async sweepLater(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      console.error("tenrec: what a preview stored was not freed, and is tried again:", errorJson(error).message);
      await this.#push(this.#options.now() + AGAIN_MS);
    }
  }

  /** To be called when there is a new link. */
  async plan(): Promise<void> {
    const { links, jobs } = this.#options;
    const time = links.nextExpiry();
    if (time === undefined) await jobs.cancel(PREVIEW_LINKS);
    else if (jobs.get(PREVIEW_LINKS)?.time !== time) await this.#push(time);
  }

  async #run(): Promise<void> {
    const { links, end } = this.#options;
    const gone = links.gone();
    end(gone.map(({ link }) => link));
    const failures: unknown[] = [];
    // A link is forgotten after what it leads to: what fails, the next sweep finds again, and the others do not wait for it.
    for (const link of gone) await this.#free(link).catch((error: unknown) => failures.push(error));
    await this.plan();
    if (failures.length > 0) throw failures[0];
  }

  async #free({ link, session, frozen }: GoneLink): Promise<void> {
    if (frozen) await this.#options.free(session, frozen);
    this.#options.links.forget(link);
  }

  async #push(time: number): Promise<void> {
    await this.#options.jobs.push({ id: PREVIEW_LINKS, fn: PREVIEW_LINKS, time });
  }
}
