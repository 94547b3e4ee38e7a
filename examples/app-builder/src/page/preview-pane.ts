import type { Json, TenrecEvent } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";
import { byId, element } from "./dom.ts";
import { newsText } from "./news-text.ts";

/** Edits that come within this time are shown together. In milliseconds. */
const SETTLE_MS = 100;
/** A page that is live says so at once. In milliseconds. */
const ANSWER_MS = 500;
const MOST_NEWS = 5;

/** The app of a session beside its conversation, always as its files are, and below it what went wrong. */
export class PreviewPane {
  readonly #frame = byId("frame", HTMLIFrameElement);
  readonly #news = byId("news", HTMLElement);
  readonly #link = byId("address", HTMLAnchorElement);
  readonly #report: (error: unknown) => void;
  /** Where the app is opened, and the address that its paths are below. */
  #places = { first: "", base: "" };
  /** Where in the app the frame is, as its page has said. */
  #path = "/";
  /** The files that the news are of. */
  #tree: string | undefined;
  /** Whether the model has done something in the app that its page may not show. */
  #isOld = false;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Resolves once the address is known. */
  async open(session: SessionClient): Promise<void> {
    const [{ url, host }, files] = await Promise.all([session.preview(), session.files.list()]);
    const first = host ?? url;
    // A host of all previews is first told which one it is to show.
    this.#places = { first, base: first.replace(/@tenrec\/open\/.*$/, "") };
    // An origin that is not the agent's is one that a page may use.
    if (host !== undefined) this.#frame.sandbox.add("allow-same-origin");
    window.addEventListener("message", (event) => this.#hear(event));
    const reload = byId("reload", HTMLButtonElement);
    reload.addEventListener("click", () => this.#ask("reload"));
    const save = byId("download", HTMLButtonElement);
    save.addEventListener("click", () => {
      save.disabled = true;
      const done = (): void => void (save.disabled = false);
      download(session)
        .then(() => this.#report(undefined), this.#report)
        .finally(done);
    });
    for (const button of [reload, save]) button.disabled = false;
    this.#showPlace();
    if (files.length > 0) this.#load();
  }

  add(event: TenrecEvent): void {
    if (event.type === "file-change" || event.type === "undo") {
      this.#news.replaceChildren();
      // A page loads itself again, but not every answer is a page: those of an API are not.
      this.#askSoon("ask");
    }
    // What the model has sent to the app, the page knows nothing of.
    if (event.type === "tool-call" && event.toolName === "preview") this.#isOld ||= sends(event.input);
    if (event.type === "turn-end" && this.#isOld) this.#askSoon("reload");
    if (event.type !== "preview") return;
    // Files that came from elsewhere, such as by an import, are no event of the session.
    if (event.tree !== this.#tree) this.#news.replaceChildren();
    this.#tree = event.tree;
    this.#news.append(element("li", "", newsText(event.kind, event.detail)));
    while (this.#news.childElementCount > MOST_NEWS) this.#news.firstElementChild?.remove();
  }

  #askSoon(what: "ask" | "reload"): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#ask(what), SETTLE_MS);
  }

  /** Says something to the page in the frame. One that does not answer is none of ours, and is loaded anew. */
  #ask(what: "ask" | "reload"): void {
    if (what === "reload") this.#isOld = false;
    if (!this.#frame.hasAttribute("src")) return this.#load();
    this.#frame.contentWindow?.postMessage({ tenrec: what }, "*");
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => this.#load(), ANSWER_MS);
  }

  #hear({ source, data }: MessageEvent<unknown>): void {
    if (source !== this.#frame.contentWindow || typeof data !== "object" || data === null) return;
    const { tenrec, path } = data as { readonly tenrec?: unknown; readonly path?: unknown };
    if (tenrec !== "page" || typeof path !== "string" || !path.startsWith("/")) return;
    clearTimeout(this.#asking);
    this.#path = path;
    this.#showPlace();
  }

  get #address(): string {
    const { first, base } = this.#places;
    return this.#path === "/" ? first : base + this.#path.slice(1);
  }

  #load(): void {
    this.#frame.src = this.#address;
  }

  #showPlace(): void {
    this.#link.href = this.#address;
    const { host } = new URL(this.#places.first);
    this.#link.textContent = shortHost(host) + (this.#path === "/" ? "" : this.#path);
    this.#link.title = `Open the app by itself: ${this.#address}`;
  }
}

/** Whether a call of the tool `preview` asks for more than to be shown something. */
function sends(input: Json): boolean {
  const { method = "GET" } = (input ?? {}) as { readonly method?: Json };
  return method !== "GET" && method !== "HEAD";
}

/** Without most of the token that a host of its own begins with: nobody reads it. */
function shortHost(host: string): string {
  return host.replace(/^([a-z2-7]{8})[a-z2-7]{20,}\./, "$1….");
}

/** Saves all files as one archive. */
async function download(session: SessionClient): Promise<void> {
  const archive = await new Response(await session.files.export("zip")).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(archive);
  link.download = "app.zip";
  link.click();
  URL.revokeObjectURL(link.href);
}
