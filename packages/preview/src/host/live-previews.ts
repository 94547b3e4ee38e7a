import {
  type LocatedStack,
  type Preview,
  type PreviewHost,
  type PreviewListener,
  type PreviewRequest,
  hasCode,
  TenrecError,
} from "@tenrec/protocol";
import { createIsolateCompiler } from "../client/compile/isolate-compiler.ts";
import type { PageCompiler } from "../client/compile/page-compiler.ts";
import type { DependencyBundler } from "../deps/dependencies.ts";
import { sha256 } from "../graph/sha256.ts";
import { TransformCache } from "../graph/transform-cache.ts";
import type { FallbackTransform } from "../graph/transform-script.ts";
import { DEFAULT_LIMITS, type PreviewLimits } from "../load/limits.ts";
import { putLast } from "../put-last.ts";
import { AlarmRound } from "./alarm-round.ts";
import { Alarms, type DueAlarm } from "./alarms.ts";
import { AppLoader, type LiveApp, type PreviewNetwork } from "./app-loader.ts";
import type { Build, BuiltApp } from "./built-app.ts";
import { Facets } from "./facets.ts";
import type { HostState } from "./host-exports.ts";
import { answerGateway } from "./answer-gateway.ts";
import { locateStack } from "../report/locate-stack.ts";
import { Migrations } from "./migrations.ts";
import { PreviewDoor } from "./preview-door.ts";
import { refusedResponse } from "../report/error-page.ts";
import { reportTrace } from "./report-trace.ts";
import { respond } from "./respond.ts";
import { runScheduled } from "./run-scheduled.ts";
import { SessionBuilders } from "./session-builders.ts";
import { StoppedApps } from "./stopped-apps.ts";
import { withinTime } from "./within-time.ts";
import { WorkerMeter } from "./worker-meter.ts";

export interface LivePreviewsOptions {
  /** The object that hosts the previews. */
  readonly ctx: HostState;
  /** The Worker Loader. */
  readonly loader: WorkerLoader;
  /** The name of the binding of the object's class in the Worker's environment: the way back from an app to its host. */
  readonly binding: string;
  /** Brings npm packages in. Without it, an app that imports one cannot be shown. */
  readonly dependencies?: DependencyBundler;
  /** Transforms what sucrase cannot. Default: Babel, from the packages; without `dependencies`, that is a build error. */
  readonly fallback?: FallbackTransform;
  /** How apps reach the internet. Default: not at all. */
  readonly network?: PreviewNetwork;
  /** Where the project is in the tree. Default: `/`. */
  readonly root?: string;
  /** What one call of an app may take, where that is not the default. */
  readonly limits?: Partial<PreviewLimits>;
  /** Milliseconds from which on a request is reported as slow. Default: 1,000. */
  readonly slow?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** What was opened. Its build is made by the first request. */
interface Opened {
  readonly request: PreviewRequest;
  build: Promise<Build> | undefined;
}

/** How many previews can be asked for at a time; opening one more closes the one used longest ago. */
const MOST_OPEN = 20;

/** Of more, those that follow are mostly more of the same. */
const MOST_TOLD = 200;

/** Shows the Workers apps of an object's sessions. */
export class LivePreviews implements PreviewHost {
  readonly #options: LivePreviewsOptions;
  readonly #builders: SessionBuilders;
  readonly #opened = new Map<string, Opened>();
  readonly #limits: PreviewLimits;
  readonly #meter: WorkerMeter;
  readonly #loader: AppLoader;
  readonly #facets: Facets;
  readonly #stopped: StoppedApps;
  readonly #alarms: Alarms;
  readonly #round: AlarmRound;
  readonly #migrations: Migrations;
  /** What was said to be not supported. */
  readonly #told = new Set<string>();
  #listener: PreviewListener | undefined;

  constructor(options: LivePreviewsOptions) {
    this.#options = options;
    const { fallback, dependencies, loader, root = "/" } = options;
    const { sql } = options.ctx.storage;
    this.#meter = new WorkerMeter({ sql, now: this.#now, onLoad: (load) => this.#listener?.loading(load) });
    const compilerFor =
      dependencies &&
      ((session: string): PageCompiler =>
        createIsolateCompiler({ loader, dependencies, onUse: (worker) => this.#meter.use(session, worker) }));
    this.#builders = new SessionBuilders({
      transforms: new TransformCache(),
      fallback,
      dependencies,
      compilerFor,
      root,
    });
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#loader = new AppLoader({ ...options, limits: this.#limits, meter: this.#meter });
    this.#facets = new Facets(options.ctx, options.loader, this.#meter);
    this.#stopped = new StoppedApps(this.#loader, this.#facets);
    this.#alarms = new Alarms(sql, this.#now);
    this.#round = new AlarmRound({ alarms: this.#alarms, now: this.#now, find: (due) => this.#alarmHandler(due) });
    this.#migrations = new Migrations(this.#facets);
  }

  async open(request: PreviewRequest): Promise<Preview> {
    const { ctx } = this.#options;
    const id = (await sha256(JSON.stringify([ctx.id.toString(), request.session, request.tree]))).slice(0, 32);
    putLast(this.#opened, id, this.#opened.get(id) ?? { request, build: undefined }, MOST_OPEN);
    return { id };
  }

  async fetch(id: string, request: Request): Promise<Response> {
    const opened = this.#opened.get(id);
    if (!opened) return new Response("There is no such preview, or not any more.\n", { status: 404 });
    const { session, tree, fs } = opened.request;
    try {
      return await respond(request, await this.#build(opened), {
        fs,
        load: (app) => this.#loader.load(opened.request, app),
        stopped: this.#stopped,
        report: (kind, detail) => this.#listener?.report({ session, tree, kind, detail }),
        takeovers: (app) => this.#facets.takeovers(app),
        slow: this.#options.slow ?? 1000,
        answerMs: this.#limits.answerMs,
        now: this.#now,
      });
    } catch (error) {
      if (hasCode(error, "budget-exceeded")) return refusedResponse(request, error.message);
      throw error;
    }
  }

  async close(id: string): Promise<void> {
    this.#opened.delete(id);
  }

  listen(listener: PreviewListener): void {
    this.#listener = listener;
  }

  /** What an app may call: the answer of the object's RPC method `previewDoor`. */
  door(session: string, app: string): PreviewDoor {
    return new PreviewDoor({
      session,
      facets: this.#facets,
      app: () => this.#loader.get(app),
      migrate: async (binding) => {
        const { request, app: built } = this.#loader.get(app);
        await this.#migrations.apply(request, app, built.config, binding);
      },
      setAlarm: async (object, time) => {
        this.#alarms.set(session, object, time);
        await this.#planAlarm();
      },
      onError: (error) => {
        const live = this.#loader.find(app);
        if (live) this.#stopped.onError(live, error);
      },
      getAlarm: (object) => this.#alarms.get(session, object),
      onTrace: (records) => {
        const live = this.#loader.find(app);
        if (live)
          reportTrace(records, live, { stopped: this.#stopped, report: (report) => this.#listener?.report(report) });
      },
    });
  }

  /** Answers what an app asks for by `fetch`; undefined for any other request to the object. */
  async gatewayFetch(request: Request): Promise<Response | undefined> {
    const egress = this.#options.network?.egress;
    const [facets, stopped] = [this.#facets, this.#stopped];
    return answerGateway(request, { app: (id) => this.#loader.get(id), facets, stopped, egress });
  }

  async locate(id: string, stack: string): Promise<LocatedStack> {
    const opened = this.#opened.get(id);
    const build = opened && (await this.#build(opened));
    if (!opened || !build || "problems" in build) return { stack };
    return locateStack(stack, build.app, opened.request.fs);
  }

  /** Runs the alarms of apps that are due, side by side, each in what its session shows now. */
  async runAlarms(): Promise<void> {
    await this.#round.run();
    await this.#planAlarm();
  }

  /** Runs what the app of a preview does at a time of its schedule. Throws what it throws. */
  async runScheduled(id: string, cron: string): Promise<void> {
    const opened = this.#opened.get(id);
    const live = opened && (await this.#live(opened));
    if (!live) throw new TenrecError("preview-not-found", { preview: id });
    await withinTime(this.#limits.answerMs, `The schedule ${cron}`, () => runScheduled(live, cron, this.#now()));
  }

  /** Forgets a session: what its apps stored, and their alarms. */
  async remove(session: string): Promise<void> {
    for (const [id, { request }] of this.#opened) if (request.session === session) this.#opened.delete(id);
    this.#loader.remove(session);
    this.#builders.remove(session);
    this.#facets.remove(session);
    this.#alarms.remove(session);
    this.#meter.remove(session);
    await this.#planAlarm();
  }

  readonly #now = (): number => (this.#options.now ?? Date.now)();

  async #planAlarm(): Promise<void> {
    await this.#listener?.alarm(this.#alarms.next());
  }

  /** Undefined for one whose app cannot be built. Throws when it may not be loaded, or has no such class any more. */
  async #alarmHandler({ session, address, time, retries }: DueAlarm): Promise<(() => Promise<void>) | undefined> {
    const live = await this.#latest(session);
    if (!live) return undefined;
    const facet = this.#facets.object(session, live, address);
    const info = { retryCount: retries, isRetry: retries > 0, scheduledTime: time };
    return async () => {
      try {
        await withinTime(this.#limits.answerMs, "An alarm", () => facet.tenrecPreviewAlarm(info));
      } catch (error) {
        // What it threw is in its trace.
        this.#stopped.onError(live, error);
        throw error;
      }
    };
  }

  async #latest(session: string): Promise<LiveApp | undefined> {
    const request = this.#listener?.current(session);
    if (!request) return undefined;
    const opened = this.#opened.get((await this.open(request)).id);
    return opened && this.#live(opened);
  }

  /** Undefined for an app that cannot be built, or has no Worker. */
  async #live(opened: Opened): Promise<LiveApp | undefined> {
    const build = await this.#build(opened);
    const worker = "problems" in build ? undefined : build.app.worker;
    return worker && this.#loader.load(opened.request, worker);
  }

  #build(opened: Opened): Promise<Build> {
    if (opened.build) return opened.build;
    const build = this.#builders.build(opened.request);
    opened.build = build;
    const failed = (): void => void (opened.build = undefined);
    // A failure such as that of a download may be over by the next request.
    build.then((made) => ("problems" in made ? failed() : this.#tellUnsupported(opened.request, made.app)), failed);
    return build;
  }

  /** Names what the configuration asks for and a preview does not have, each once. */
  #tellUnsupported({ session, tree }: PreviewRequest, { config }: BuiltApp): void {
    for (const { feature, binding } of config.unsupported) {
      const what = binding === undefined ? feature : `${feature} (env.${binding})`;
      const message = `${what} of ${config.path?.slice(1) ?? "the configuration"} is not supported in a preview.`;
      const key = JSON.stringify([session, message]);
      if (this.#told.has(key) || this.#told.size >= MOST_TOLD) continue;
      this.#told.add(key);
      this.#listener?.report({ session, tree, kind: "console", detail: { level: "warn", message } });
    }
  }
}
