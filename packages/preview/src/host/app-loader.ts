import { type Egress, type PreviewRequest, TenrecError } from "@tenrec/protocol";
import { bindingList } from "../load/binding-list.ts";
import type { PreviewLimits } from "../load/limits.ts";
import { loaderId } from "../load/loader-id.ts";
import { putLast } from "../put-last.ts";
import type { WorkerApp } from "./built-app.ts";
import { type HostState, hostExports } from "./host-exports.ts";
import { workerCode } from "./worker-code.ts";
import type { WorkerMeter } from "./worker-meter.ts";

/** An app that the Worker Loader was asked for. */
export interface LiveApp {
  /** Of this isolate. */
  readonly id: string;
  /** What is billed: the same app, in however many isolates. */
  readonly worker: string;
  readonly app: WorkerApp;
  /** The request that it was loaded for last. */
  readonly request: PreviewRequest;
  readonly stub: WorkerStub;
}

/** How many apps one object keeps loaded: the platform runs no more of them at a time. */
const MOST_LIVE = 10;

/** Of how many apps it is known that they were given up; what is left of one is forgotten by the platform long before. */
const MOST_GIVEN_UP = 1000;

export interface AppLoaderOptions {
  readonly ctx: HostState;
  readonly loader: WorkerLoader;
  readonly binding: string;
  readonly network?: PreviewNetwork;
  readonly limits: PreviewLimits;
  readonly meter: Pick<WorkerMeter, "use">;
}

/** How apps reach the internet. */
export interface PreviewNetwork {
  readonly egress: Egress;
  /** Names what `egress` lets through: apps under different policies share nothing. */
  readonly policy: string;
}

/** The apps of one object that are loaded. When there is one too many, the one used longest ago is let go. */
export class AppLoader {
  readonly #options: AppLoaderOptions;
  readonly #live = new Map<string, LiveApp>();
  /** They run nothing more, and are still told of. */
  readonly #ended = new Map<string, LiveApp>();
  /** How often an app was given up, by the name of its Worker. */
  readonly #givenUp = new Map<string, number>();

  constructor(options: AppLoaderOptions) {
    this.#options = options;
  }

  /** Loads the app, unless the same one is loaded for this session. */
  async load(request: PreviewRequest, app: WorkerApp): Promise<LiveApp> {
    const { ctx, loader, binding, network, limits, meter } = this.#options;
    const { config, hash } = app;
    const { session, tree } = request;
    const worker = await loaderId({
      object: ctx.id.toString(),
      session,
      modules: hash,
      compatibility: { date: config.compatibilityDate, flags: config.compatibilityFlags },
      env: [config.vars, bindingList(config), limits],
      egress: network?.policy ?? "none",
    });
    meter.use(session, worker);
    const times = this.#givenUp.get(worker);
    const id = times === undefined ? worker : `${worker}.${times}`;
    const known = this.#live.get(id);
    const makeCode = (): WorkerLoaderWorkerCode => {
      const { name } = ctx.id;
      const object = { id: ctx.id.toString(), ...(name === undefined ? {} : { name }) };
      const props = { binding, object, session, tree, app: id };
      const gateway = (outbound: boolean): Fetcher =>
        hostExports(ctx).PreviewGateway({ props: { ...props, outbound } });
      return workerCode(app, { gateway: gateway(false), outbound: network ? gateway(true) : null, limits });
    };
    const live = { id, worker, app, request, stub: known?.stub ?? loader.get(id, makeCode) };
    putLast(this.#live, id, live, MOST_LIVE);
    return live;
  }

  /** An app that was loaded, by its id. Throws `preview-not-found` when it was let go. */
  get(id: string): LiveApp {
    const live = this.#live.get(id);
    if (live) return live;
    throw new TenrecError("preview-not-found", { preview: id });
  }

  /** An app that was loaded, also one that was given up a moment ago. */
  find(id: string): LiveApp | undefined {
    return this.#live.get(id) ?? this.#ended.get(id);
  }

  /** Lets go of an app that was stopped: whoever asks next gets an isolate of its own. */
  giveUp(id: string): void {
    const live = this.#live.get(id);
    if (!live) return;
    this.#live.delete(id);
    putLast(this.#ended, id, live, MOST_LIVE);
    putLast(this.#givenUp, live.worker, (this.#givenUp.get(live.worker) ?? 0) + 1, MOST_GIVEN_UP);
  }

  remove(session: string): void {
    for (const [id, { request }] of this.#live) if (request.session === session) this.#live.delete(id);
    for (const [id, { request }] of this.#ended) if (request.session === session) this.#ended.delete(id);
  }
}
