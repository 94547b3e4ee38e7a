import type {
  BudgetCaps,
  DurableEventBody,
  Json,
  PreviewHost,
  PreviewReport,
  PreviewRequest,
  Spent,
  WorkerLoad,
} from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import type { PreviewPort } from "@tenrec/tools";
import type { LifecycleJobs } from "agents/lifecycle";
import { treeOf, type Workspace } from "./workspace.ts";

/** Wakes the object for the alarms of previewed apps. */
export const PREVIEW_ALARM = "preview-alarm";

/** How much is kept of what previews said, for the model to ask; of more, the oldest is forgotten. */
const MOST_NEWS = 100;

/** How many different things about one tree become events: an app that fails at every request fills no journal. */
const MOST_EVENTS = 20;

/** Shows the trees of sessions in the agent's host of previews, and listens to what they say. */
export class Previews {
  readonly #workspace: Pick<Workspace, "config" | "journal" | "trees">;
  readonly #jobs: Pick<LifecycleJobs, "push" | "cancel">;
  readonly #news = new Map<string, PreviewReport[]>();
  readonly #told = new Map<string, { readonly tree: string; readonly details: Set<string> }>();
  #host: PreviewHost | undefined;

  constructor(
    workspace: Pick<Workspace, "config" | "journal" | "trees">,
    jobs: Pick<LifecycleJobs, "push" | "cancel">,
  ) {
    this.#workspace = workspace;
    this.#jobs = jobs;
  }

  /** Whether the agent has a host of previews. */
  get available(): boolean {
    return this.#workspace.config.previews !== undefined;
  }

  /** The agent's host. Throws `not-configured` where it has none. */
  get host(): PreviewHost {
    const host = this.#workspace.config.previews;
    if (!host) {
      const how = "Set previews on the agent's class, such as to new LivePreviews(…) of @tenrec/preview.";
      throw new TenrecError("not-configured", { what: "Previews", how });
    }
    if (host !== this.#host) this.#listen(host);
    return host;
  }

  /** Answers a request as the app in the session's newest tree does. Throws `session-not-found`. */
  async fetch(session: string, request: Request): Promise<Response> {
    const { host } = this;
    const { id } = await host.open(this.#request(session));
    return host.fetch(id, request);
  }

  /** What previews of a session said since this was asked last. */
  #takeNews(session: string): readonly PreviewReport[] {
    const news = this.#news.get(session) ?? [];
    this.#news.delete(session);
    return news;
  }

  /** What the tool of a session's model reaches. */
  portFor(session: string): PreviewPort {
    return { fetch: (request) => this.fetch(session, request), news: () => this.#takeNews(session) };
  }

  async runAlarms(): Promise<void> {
    await this.host.runAlarms?.();
  }

  async remove(session: string): Promise<void> {
    this.#news.delete(session);
    this.#told.delete(session);
    if (this.available) await this.host.remove?.(session);
  }

  #listen(host: PreviewHost): void {
    this.#host = host;
    host.listen?.({
      report: (report) => this.#report(report),
      loading: (load) => this.#load(load),
      alarm: (time) => this.#plan(time),
      current: (session) => {
        try {
          return this.#request(session);
        } catch (error) {
          if (hasCode(error, "session-not-found")) return undefined;
          throw error;
        }
      },
    });
  }

  #request(session: string): PreviewRequest {
    const { trees } = this.#workspace;
    const tree = treeOf(this.#workspace, session);
    const changedSince = async (since: string): Promise<string[] | undefined> => {
      try {
        return trees.changes(since, tree).map(({ path }) => path);
      } catch (error) {
        // Nothing holds a tree that is not shown any more.
        if (hasCode(error, "tree-not-found")) return undefined;
        throw error;
      }
    };
    return { session, tree, fs: trees.overlay(tree), changedSince };
  }

  /** What is recorded counts before anything is loaded. */
  #load({ session, ...load }: WorkerLoad): void {
    const { journal, config } = this.#workspace;
    checkLoad(journal.state(session).spent, config.budget.session, "session");
    checkLoad(journal.spent(), config.budget.workspace, "workspace");
    journal.append(session, [{ type: "worker-usage", ...load }]);
  }

  async #plan(time: number | undefined): Promise<void> {
    if (time === undefined) await this.#jobs.cancel(PREVIEW_ALARM);
    else await this.#jobs.push({ id: PREVIEW_ALARM, fn: PREVIEW_ALARM, time });
  }

  #report(report: PreviewReport): void {
    const { session, tree, kind, detail } = report;
    const news = this.#news.get(session) ?? [];
    this.#news.set(session, [...news, report].slice(-MOST_NEWS));
    if (kind === "console" || !this.#isNew(report)) return;
    const event: DurableEventBody = { type: "preview", tree, kind, detail };
    try {
      this.#workspace.journal.append(session, [event]);
    } catch (error) {
      // Of a session that was deleted meanwhile, or by an instance that was replaced: nobody is there to be told.
      if (!hasCode(error, "session-not-found")) console.error("tenrec: a report of a preview was not recorded");
    }
  }

  /** Whether something is said of a tree for the first time, and not too much was said of it. */
  #isNew({ session, tree, kind, detail }: PreviewReport): boolean {
    const known = this.#told.get(session);
    const told = known?.tree === tree ? known : { tree, details: new Set<string>() };
    this.#told.set(session, told);
    const key = JSON.stringify([kind, kind === "request" ? withoutTime(detail) : detail]);
    if (told.details.has(key) || told.details.size >= MOST_EVENTS) return false;
    told.details.add(key);
    return true;
  }
}

/** Throws `budget-exceeded` when no Dynamic Worker may be loaded. */
function checkLoad(spent: Spent, caps: BudgetCaps | undefined, scope: string): void {
  const { workers = 0, usd } = spent;
  if (caps?.workers !== undefined && workers >= caps.workers) {
    throw new TenrecError("budget-exceeded", {
      unit: `Dynamic Workers of the ${scope}`,
      spent: workers,
      limit: caps.workers,
    });
  }
  if (caps?.usd !== undefined && usd >= caps.usd) {
    throw new TenrecError("budget-exceeded", { unit: `dollars of the ${scope}`, spent: usd, limit: caps.usd });
  }
}

function withoutTime(detail: PreviewReport["detail"]): unknown {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return detail;
  return { ...(detail as Readonly<Record<string, Json>>), ms: undefined };
}
