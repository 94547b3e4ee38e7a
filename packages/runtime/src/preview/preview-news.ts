import type { Json, PreviewReport } from "@tenrec/protocol";

/** How much is kept of what previews said, for the model to ask; of more, the oldest is forgotten. */
const MOST_NEWS = 100;

/** How many different things about one tree become events: an app that fails at every request fills no journal. */
const MOST_EVENTS = 20;

/** The same of what pages say, which is anything that their code likes: it must not crowd out what the app's own isolate says. */
const MOST_PAGE_NEWS = 20;
const MOST_PAGE_EVENTS = 10;

/** Errors of pages of one tree that are looked at: to find their places costs time. */
const MOST_HEARD = 200;

/** What was said while a tree was the newest, also of those before it: pages of many trees would say many times as much. */
interface Told {
  readonly tree: string;
  readonly details: Set<string>;
  /** How many of the details are from pages, and how many errors of pages were heard in all. */
  pages: number;
  heard: number;
}

/** What the previews of sessions said: for the model until it asks, and, once for each tree, for the journal. */
export class PreviewNews {
  readonly #news = new Map<string, PreviewReport[]>();
  readonly #told = new Map<string, Told>();
  readonly #newest: (session: string) => string;

  /** `newest` gives the newest tree of a session. */
  constructor(newest: (session: string) => string) {
    this.#newest = newest;
  }

  /** Keeps a report until it is taken. Returns whether it is one for the journal too. */
  add(report: PreviewReport): boolean {
    const { session, kind } = report;
    const news = [...(this.#news.get(session) ?? []), report];
    const pages = news.filter((each) => each.kind === "browser-error");
    const excess = pages.length > MOST_PAGE_NEWS ? pages[0] : undefined;
    this.#news.set(session, news.filter((each) => each !== excess).slice(-MOST_NEWS));
    return kind !== "console" && this.#isNew(report);
  }

  /** What was said of a session since this was asked last. */
  take(session: string): readonly PreviewReport[] {
    const news = this.#news.get(session) ?? [];
    this.#news.delete(session);
    return news;
  }

  /** Whether something was said, and not taken yet, that can be why a request failed. */
  hasReason(session: string): boolean {
    return (this.#news.get(session) ?? []).some(saysWhy);
  }

  /** Counts an error of a page. Returns whether it is to be looked at. */
  hear(session: string): boolean {
    const told = this.#toldOf(session);
    told.heard += 1;
    return told.heard <= MOST_HEARD;
  }

  forget(session: string): void {
    this.#news.delete(session);
    this.#told.delete(session);
  }

  /** Whether something is said for the first time since the files changed, and not too much was said since. */
  #isNew({ session, kind, detail }: PreviewReport): boolean {
    const told = this.#toldOf(session);
    const key = JSON.stringify([kind, kind === "request" ? withoutTime(detail) : detail]);
    if (told.details.has(key) || told.details.size - told.pages >= MOST_EVENTS) return false;
    if (kind === "browser-error" && told.pages >= MOST_PAGE_EVENTS) return false;
    if (kind === "browser-error") told.pages += 1;
    told.details.add(key);
    return true;
  }

  #toldOf(session: string): Told {
    const tree = this.#newest(session);
    const known = this.#told.get(session);
    const told = known?.tree === tree ? known : { tree, details: new Set<string>(), pages: 0, heard: 0 };
    this.#told.set(session, told);
    return told;
  }
}

function withoutTime(detail: PreviewReport["detail"]): unknown {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return detail;
  return { ...(detail as Readonly<Record<string, Json>>), ms: undefined };
}

function saysWhy({ kind, detail }: PreviewReport): boolean {
  if (kind === "exception" || kind === "build-error") return true;
  const { level } = (detail ?? {}) as Readonly<Record<string, Json>>;
  return kind === "console" && level === "error";
}
