import type { DurableEventBody, PreviewHost, PreviewReport, PreviewRequest, WorkerLoad } from "@tenrec/protocol";
import { errorJson, hasCode, TenrecError } from "@tenrec/protocol";
import type { PreviewPort } from "@tenrec/tools";
import type { LifecycleJobs } from "agents/lifecycle";
import { LivePages } from "../live/live-pages.ts";
import type { LocatedError, PageMessage } from "../live/page-message.ts";
import type { SocketHost } from "../sockets.ts";
import { treeOf, type Workspace } from "../workspace.ts";
import { checkLoad } from "./check-load.ts";
import { OpenAnswers } from "./open-answers.ts";
import { LinkSweeper } from "./link-sweeper.ts";
import { type Frozen, type PreviewLink, PreviewLinks } from "./preview-links.ts";
import { PreviewNews } from "./preview-news.ts";
import { TREE_HEADER } from "./preview-request.ts";

/** Wakes the object for the alarms of previewed apps. */
export const PREVIEW_ALARM = "preview-alarm";

/** What the host of previews knows a session by whose files are shown as they were: an app of its own, with data of its own. */
const frozenName = (session: string, turn: number): string => session + SEPARATOR + turn;
const SEPARATOR = "\u001f";

/** How long is waited for what an app logs of a request that failed, and between two looks. */
const EXPLAIN_MS = 1000;
const EXPLAIN_STEP_MS = 25;

/** While alarms of apps ring, the object is woken again after this time. */
const RING_AGAIN_MS = 30_000;

/** What somebody sees whose link is no more. */
const ENDED = "This link to a preview was revoked, or it has expired. Ask for a new one.";

type PreviewWorkspace = Pick<Workspace, "config" | "journal" | "trees" | "storage" | "clock">;

/** Shows the trees of sessions in the agent's host of previews, and listens to what they say. */
export class Previews {
  readonly #workspace: PreviewWorkspace;
  readonly #jobs: Pick<LifecycleJobs, "get" | "push" | "cancel">;
  readonly #news = new PreviewNews((session) => treeOf(this.#workspace, session));
  readonly #links: PreviewLinks;
  readonly #answers: OpenAnswers;
  /** Of what is no more. */
  readonly sweeper: LinkSweeper;
  /** What pages that are open are told of, and tell. */
  readonly pages: LivePages;
  #host: PreviewHost | undefined;

  constructor(workspace: PreviewWorkspace, jobs: Pick<LifecycleJobs, "get" | "push" | "cancel">, sockets: SocketHost) {
    this.#workspace = workspace;
    this.#jobs = jobs;
    this.#links = new PreviewLinks(workspace.storage.sql, () => workspace.clock.now());
    this.#answers = new OpenAnswers(() => workspace.clock.now());
    this.sweeper = new LinkSweeper({
      links: this.#links,
      jobs,
      now: () => workspace.clock.now(),
      end: (links) => {
        this.pages.end(links);
        this.#answers.end(links, ENDED);
      },
      free: (session, { turn }) => this.#free(frozenName(session, turn)),
    });
    this.pages = new LivePages(workspace, sockets, (session, tree, message) => this.#hear(session, tree, message));
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
    return this.#show(this.#request(session), request);
  }

  /** The link to a session's newest files, or to those after a turn. Throws `session-not-found`, `point-not-found`. */
  async openLink(session: string, turn?: number): Promise<PreviewLink> {
    const isGone = (): boolean =>
      this.#links.gone().some((link) => link.session === session && link.frozen?.turn === turn);
    // Of a turn whose link is gone, its data must be too.
    while (isGone()) await this.sweeper.sweep();
    const frozen = this.#frozenAt(session, turn);
    const link = this.#links.open({ session, ...(frozen ? { frozen } : {}) });
    await this.sweeper.plan();
    return link;
  }

  #frozenAt(session: string, turn: number | undefined): Frozen | undefined {
    this.#workspace.journal.session(session);
    if (turn === undefined) return undefined;
    const events = this.#workspace.journal.events(session);
    const end = events.findLast((event) => event.type === "turn-end" && event.turn === turn);
    if (end?.type !== "turn-end") throw new TenrecError("point-not-found", { session, point: `end of turn ${turn}` });
    return { turn, tree: end.tree };
  }

  /** Of a turn, or, without one, all links of a session. What is open of them ends. Returns how many there were. */
  async revokeLinks(session: string, turn?: number): Promise<number> {
    this.#workspace.journal.session(session);
    const count = this.#links.revoke(session, turn);
    await this.sweeper.sweep();
    return count;
  }

  /** Answers a request by a link: status 410 for one that is no more. Throws `session-not-found`. */
  async follow(link: number, request: Request): Promise<Response> {
    const gone = (): Response => new Response(`${ENDED}\n`, { status: 410 });
    const target = this.#links.find(link);
    if (!target) return gone();
    const { session, frozen } = target;
    const shown = frozen ? this.#frozenRequest(session, frozen) : this.#request(session);
    const answer = await this.#show(shown, request);
    const response = this.#answers.hold(link, answer);
    // While the app made up its answer, the link has ended.
    if (!this.#links.find(link)) {
      this.#answers.end([link], ENDED);
      return gone();
    }
    if (response.webSocket) return response;
    const told = new Response(response.body, response);
    // Whatever the app says: what does not change is told of no change.
    if (frozen) told.headers.delete(TREE_HEADER);
    else told.headers.set(TREE_HEADER, shown.tree);
    return told;
  }

  /** A socket of a page of a link. Throws `session-not-found`. */
  live(link: number): Response {
    const target = this.#links.find(link);
    if (!target) return new Response(`${ENDED}\n`, { status: 410 });
    if (target.frozen) return new Response("These files do not change.\n", { status: 404 });
    return this.pages.accept(target.session, link);
  }

  /** What the tool of a session's model reaches. */
  portFor(session: string): PreviewPort {
    return {
      fetch: (request) => this.fetch(session, request),
      news: () => this.#news.take(session),
      explained: (signal) => this.#untilExplained(session, signal),
    };
  }

  async #untilExplained(session: string, signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < EXPLAIN_MS && !this.#news.hasReason(session); waited += EXPLAIN_STEP_MS) {
      await this.#workspace.clock.sleep(EXPLAIN_STEP_MS, signal);
    }
  }

  /** Begins to ring what apps set alarms for, and waits for none of it: other jobs of the object would wait too. Never throws. */
  async ring(): Promise<void> {
    if (!this.available) return;
    try {
      // What comes of the alarms says when else to look; until then, the object may die.
      await this.#plan(this.#workspace.clock.now() + RING_AGAIN_MS);
      this.host.runAlarms?.().catch(tellRinging);
    } catch (error) {
      tellRinging(error);
    }
  }

  async remove(session: string): Promise<void> {
    this.#news.forget(session);
    this.#links.revoke(session);
    await this.sweeper.sweepLater();
    await this.#free(session);
  }

  /** Deletes what the apps of a session, or of one of its turns, stored. */
  async #free(name: string): Promise<void> {
    if (this.available) await this.host.remove?.(name);
  }

  async #show(shown: PreviewRequest, request: Request): Promise<Response> {
    const { host } = this;
    const { id } = await host.open(shown);
    return host.fetch(id, request);
  }

  #listen(host: PreviewHost): void {
    this.#host = host;
    host.listen?.({
      report: (report) => this.#report(report),
      loading: (load) => this.#load(load),
      alarm: (time) => this.#plan(time),
      current: (name) => {
        try {
          const [session = "", turn] = name.split(SEPARATOR);
          if (turn === undefined) return this.#request(session);
          const target = this.#links.targets(session).find(({ frozen }) => frozen?.turn === Number(turn));
          return target?.frozen && this.#frozenRequest(session, target.frozen);
        } catch (error) {
          if (hasCode(error, "session-not-found")) return undefined;
          throw error;
        }
      },
    });
  }

  #frozenRequest(session: string, { turn, tree }: Frozen): PreviewRequest {
    return { session: frozenName(session, turn), tree, fs: this.#workspace.trees.overlay(tree) };
  }

  #request(session: string, tree = treeOf(this.#workspace, session)): PreviewRequest {
    const { trees } = this.#workspace;
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
  #load({ session: name, ...load }: WorkerLoad): void {
    const { journal, config } = this.#workspace;
    // What a link to a turn shows counts in its session.
    const [session = ""] = name.split(SEPARATOR);
    checkLoad(journal.state(session).spent, config.budget.session, "session");
    checkLoad(journal.spent(), config.budget.workspace, "workspace");
    journal.append(session, [{ type: "worker-usage", ...load }]);
  }

  async #plan(time: number | undefined): Promise<void> {
    if (time === undefined) await this.#jobs.cancel(PREVIEW_ALARM);
    else await this.#jobs.push({ id: PREVIEW_ALARM, fn: PREVIEW_ALARM, time });
  }

  /** What went wrong in a page, with places in the files where they can be found. */
  async #hear(session: string, tree: string, { page, errors }: PageMessage): Promise<LocatedError[]> {
    const { host } = this;
    const { id } = await host.open(this.#request(session, tree));
    const located: LocatedError[] = [];
    for (const { id: error, what, message, stack } of errors) {
      if (!this.#news.hear(session)) break;
      const found = (await host.locate?.(id, stack)) ?? { stack };
      located.push({ ...found, id: error });
      const detail = { page, what, message, stack: found.stack, ...(found.at ? { at: { ...found.at } } : {}) };
      this.#report({ session, tree, kind: "browser-error", detail });
    }
    return located;
  }

  #report(report: PreviewReport): void {
    const { session, tree, kind, detail } = report;
    // Of files that were, nobody waits to hear.
    if (!this.#workspace.journal.has(session) || !this.#news.add(report)) return;
    const event: DurableEventBody = { type: "preview", tree, kind, detail };
    try {
      this.#workspace.journal.append(session, [event]);
    } catch (error) {
      // Of a session that was deleted meanwhile, or by an instance that was replaced: nobody is there to be told.
      if (!hasCode(error, "session-not-found")) console.error("tenrec: a report of a preview was not recorded");
    }
  }
}

function tellRinging(error: unknown): void {
  console.error("tenrec: alarms of previews did not ring:", errorJson(error).message);
}
