import type { Clock, ErrorJson } from "@tenrec/protocol";
import { errorJson, hasCode, TenrecError } from "@tenrec/protocol";
import { TreeStore, typedStorage } from "@tenrec/vfs";
import { LifecycleCapability, type LifecycleJobContext, type LifecycleJobOutcome } from "agents/lifecycle";
import type { AgentConfig } from "./agent-config.ts";
import { nextExpiry } from "./approvals.ts";
import { Deltas } from "./deltas.ts";
import { DriveJob, WATCHDOG } from "./drive-job.ts";
import { Driver } from "./driver.ts";
import { handleHttp } from "./http.ts";
import { errorResponse } from "./http-error.ts";
import { Journal } from "./journal.ts";
import { Maintenance, MAINTENANCE } from "./maintenance.ts";
import { PREVIEW_LINKS } from "./preview/link-sweeper.ts";
import { PREVIEW_ALARM, Previews } from "./preview/previews.ts";
import { previewRequest } from "./preview/preview-request.ts";
import { redactError, redactEvent } from "./redaction/redact-json.ts";
import { createRedactor } from "./redaction/redactor.ts";
import { Sessions } from "./sessions.ts";
import { refuseWatch, Sockets } from "./sockets.ts";
import { MAIN_HEAD, type Workspace } from "./workspace.ts";

/** Wakes the object for a question that expires. */
const EXPIRY = "expiry";

/** How often is looked, while a slice runs, whether an alarm of a previewed app is due. In milliseconds. */
const RING_MS = 500;

interface Parts {
  readonly workspace: Workspace;
  readonly sessions: Sessions;
  readonly driver: Driver;
  readonly sockets: Sockets;
  readonly maintenance: Maintenance;
  readonly previews: Previews;
}

/**
 * Everything that makes an `Agent` a coding agent, as one capability of its lifecycle: the alarm job that drives the
 * loop, the HTTP interface and the sockets. It claims only its own paths, and its sockets never reach the handlers of
 * `Agent`, which would take state changes and calls from them.
 */
export class CodingCapability extends LifecycleCapability {
  readonly #config: AgentConfig;
  readonly #clock: Clock;
  #parts: Parts | undefined;
  #drive: DriveJob | undefined;

  constructor(config: AgentConfig, clock: Clock) {
    super("tenrec");
    this.#config = config;
    this.#clock = clock;
  }

  get sessions(): Sessions {
    return this.#made().sessions;
  }

  get workspace(): Workspace {
    return this.#made().workspace;
  }

  /** Throws `unsupported` where the agent's host of previews lets nothing in. */
  previewDoor(session: string, app: string): object {
    const { host } = this.#made().previews;
    if (!host.door) throw new TenrecError("unsupported", { what: "a door for apps", by: "the host of previews" });
    return host.door(session, app);
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- declared as returning nothing, documented as awaited
  override async onStart(): Promise<void> {
    await this.#planExpiry();
    await this.#driveJob().resume();
  }

  async onJob({ job }: LifecycleJobContext): Promise<LifecycleJobOutcome> {
    // The watchdog's wake is all that it is for: `onStart` has scheduled what is left to do.
    if (job.fn === WATCHDOG) return undefined;
    if (job.fn === MAINTENANCE) return this.#made().maintenance.run();
    if (job.fn === PREVIEW_ALARM) {
      await this.#made().previews.ring();
      return undefined;
    }
    if (job.fn === PREVIEW_LINKS) {
      await this.#made().previews.sweeper.sweepLater();
      return undefined;
    }
    if (job.fn !== EXPIRY) return this.#runDrive();
    await this.#driveJob().push();
    return undefined;
  }

  /** While it runs, no other job does: the alarms of previewed apps do not wait for it. */
  async #runDrive(): Promise<LifecycleJobOutcome> {
    const { jobs } = this.lifecycle;
    const ringIfDue = (): void => {
      const time = jobs.get(PREVIEW_ALARM)?.time;
      if (time !== undefined && time <= this.#clock.now()) void this.#made().previews.ring();
    };
    const stop = every(RING_MS, ringIfDue);
    try {
      return await this.#driveJob().run();
    } finally {
      stop();
    }
  }

  async onRequest({ request }: { request: Request }): Promise<Response | undefined> {
    const path = subpath(request);
    if (path === "preview" || path === "preview-gateway") return this.#preview(request, path);
    if (path === undefined || !(path === "tree" || path === "export" || path.startsWith("api/"))) return undefined;
    try {
      const { workspace, sessions, maintenance } = this.#made();
      const response = await handleHttp(workspace, sessions, request, path);
      if (request.method === "PUT") await maintenance.plan();
      return response;
    } catch (error) {
      // Also for an object that cannot be made: what is thrown from here would be answered with its stack.
      return errorResponse(error, (json) => this.#redacted(json));
    }
  }

  /** Answers every upgrade: the handlers of `Agent` would tell a socket the object's name and take its state. */
  async onWebSocketUpgrade({ request }: { request: Request }): Promise<Response> {
    const path = subpath(request);
    if (path === "preview" || path === "preview-live" || path === "preview-gateway")
      return this.#preview(request, path);
    if (path !== "watch") return new Response("Not found\n", { status: 404 });
    try {
      const { sockets } = this.#made();
      const { searchParams } = new URL(request.url);
      const after = Number(searchParams.get("after") ?? 0);
      if (Number.isInteger(after) && after >= 0) return sockets.accept(searchParams.get("session") ?? "", after);
      throw new TenrecError("request-invalid", { reason: "after must be a whole number from 0" });
    } catch (error) {
      return refuseWatch(this.#redacted(errorJson(error)));
    }
  }

  /** What sockets of ours send is not offered to `Agent`. Watchers only listen; pages of previews tell their errors. */
  onWebSocketMessage(socket: WebSocket, message: string | ArrayBuffer): boolean {
    const { sockets, previews } = this.#made();
    if (!previews.pages.owns(socket)) return sockets.owns(socket);
    previews.pages.hear(socket, message);
    return true;
  }

  onWebSocketClose(socket: WebSocket): boolean {
    if (!this.#owns(socket)) return false;
    // The other side waits for the answer to its close, in Node for ten seconds.
    socket.close(1000);
    return true;
  }

  onWebSocketError(socket: WebSocket): boolean {
    return this.#owns(socket);
  }

  #owns(socket: WebSocket): boolean {
    const { sockets, previews } = this.#made();
    return sockets.owns(socket) || previews.pages.owns(socket);
  }

  /** A request of a browser to a previewed app, or of such an app to what it is bound to. */
  async #preview(request: Request, path: "preview" | "preview-live" | "preview-gateway"): Promise<Response> {
    try {
      const { previews } = this.#made();
      const nothing = (): Response => new Response("Not found\n", { status: 404 });
      if (path === "preview-gateway") return (await previews.host.gatewayFetch?.(request)) ?? nothing();
      const asked = previewRequest(request);
      if (!asked) return nothing();
      return path === "preview" ? await previews.follow(asked.link, asked.request) : previews.live(asked.link);
    } catch (error) {
      return errorResponse(error, (json) => this.#redacted(json));
    }
  }

  #redacted(error: ErrorJson): ErrorJson {
    // Without parts the object could not be made, and what kept it from that is not of the workspace.
    return this.#parts ? redactError(error, this.#parts.workspace.redactor) : error;
  }

  /** One alarm for the question that expires next, and none when no question does. */
  async #planExpiry(): Promise<void> {
    const { jobs } = this.lifecycle;
    let time: number | undefined;
    try {
      time = nextExpiry(this.#made().workspace);
    } catch {
      // A session that cannot be read says so when it is asked for; a start that fails would refuse everybody.
      return;
    }
    const planned = jobs.get(EXPIRY)?.time;
    if (time === planned) return;
    if (time === undefined) await jobs.cancel(EXPIRY);
    else await jobs.push({ id: EXPIRY, fn: EXPIRY, time });
  }

  /** Does not need the parts: an object that cannot be made must start all the same, to say why. */
  #driveJob(): DriveJob {
    this.#drive ??= new DriveJob(() => this.#made().driver, {
      jobs: this.lifecycle.jobs,
      clock: this.#clock,
      every,
      explain: (error) => this.#redacted(errorJson(error)).message,
      onSlice: async (left) => {
        await this.#planExpiry();
        if (left === "done") await this.#made().maintenance.plan();
      },
    });
    return this.#drive;
  }

  #made(): Parts {
    this.#parts ??= this.#make();
    return this.#parts;
  }

  #make(): Parts {
    const { sockets: host } = this.lifecycle;
    // A storage that is full says so to whoever writes, as a typed error.
    const storage = typedStorage(this.lifecycle.storage);
    const now = (): number => this.#clock.now();
    const { bucket } = this.#config;
    const trees = new TreeStore(storage, { now, ...(bucket ? { bucket } : {}) });
    ensureMainHead(trees);
    const redactor = createRedactor(this.#config.secrets);
    const journal = new Journal(storage, now, (body) => redactEvent(body, redactor));
    journal.claim();
    const deltas = new Deltas(redactor);
    journal.listen((events) => deltas.settle(events));
    journal.listenRemoval((session) => deltas.forget(session));
    const parts = { config: this.#config, journal, trees, storage, clock: this.#clock };
    const previews = new Previews(parts, this.lifecycle.jobs, host);
    const workspace: Workspace = {
      previews,
      storage,
      journal,
      trees,
      deltas,
      clock: this.#clock,
      config: this.#config,
      redactor,
      random: Math.random,
    };
    const driver = new Driver(workspace);
    journal.listenRemoval((session) => driver.interrupt(session, "the session was deleted"));
    const maintenance = new Maintenance(workspace, this.lifecycle.jobs, this.#clock);
    journal.listenRemoval((session) => void previews.remove(session).catch(() => {}));
    const sessions = new Sessions(workspace, {
      schedule: async (session) => {
        maintenance.giveWay();
        await this.#driveJob().schedule(session);
      },
      interrupt: (session, reason) => driver.interrupt(session, reason),
      isWorking: (session) => driver.isWorking(session),
      planMaintenance: () => maintenance.plan(),
    });
    return { workspace, driver, sessions, sockets: new Sockets(workspace, sessions, host), maintenance, previews };
  }
}

function ensureMainHead(trees: TreeStore): void {
  try {
    trees.head(MAIN_HEAD);
  } catch (error) {
    if (!hasCode(error, "tree-not-found")) throw error;
    trees.setHead(MAIN_HEAD, trees.emptyTree);
  }
}

function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

/** The part of the path after `/agents/<class>/<name>/`. */
function subpath(request: Request): string | undefined {
  return /^\/agents\/[^/]+\/[^/]+\/(.+)$/.exec(new URL(request.url).pathname)?.[1];
}
