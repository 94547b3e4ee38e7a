import type { Json, TenrecEvent } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";
import { byId, element } from "./dom.ts";

/** Edits that come within this time are shown together. In milliseconds. */
const SETTLE_MS = 100;
const MOST_NEWS = 5;

/** The app of a session beside its conversation: it is loaded again after each edit, and below is what went wrong. */
export class PreviewPane {
  readonly #frame = byId("frame", HTMLIFrameElement);
  readonly #news = byId("news", HTMLElement);
  #address: string | undefined;
  /** The files that the news are of. */
  #tree: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Resolves once the address is known. */
  async open(session: SessionClient): Promise<void> {
    const { url, host } = await session.preview();
    const address = host ?? url;
    // An origin that is not the agent's is one that a page may use.
    if (host !== undefined) this.#frame.sandbox.add("allow-same-origin");
    this.#address = address;
    const link = byId("address", HTMLAnchorElement);
    link.href = address;
    link.textContent = shortHost(new URL(address).host);
    link.title = `Open the app by itself: ${address}`;
    byId("reload", HTMLButtonElement).addEventListener("click", () => this.#reload());
    byId("download", HTMLButtonElement).addEventListener("click", () => void download(session));
  }

  add(event: TenrecEvent): void {
    // A page loads itself again, but not every answer is a page: the first ones of a new app are not.
    if (event.type === "file-change" || event.type === "undo") {
      this.#news.replaceChildren();
      this.#reloadSoon();
    }
    if (event.type !== "preview") return;
    // Files that came from elsewhere, such as by an import, are no event of the session.
    if (event.tree !== this.#tree) this.#news.replaceChildren();
    this.#tree = event.tree;
    this.#news.append(element("li", "", newsText(event.kind, event.detail)));
    while (this.#news.childElementCount > MOST_NEWS) this.#news.firstElementChild?.remove();
  }

  #reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reload(), SETTLE_MS);
  }

  #reload(): void {
    if (this.#address !== undefined) this.#frame.src = this.#address;
  }
}

const WORDS: Readonly<Record<string, string>> = { "browser-error": "In the page", console: "Note" };

/** Without most of the token that a host of its own begins with: nobody reads it. */
function shortHost(host: string): string {
  return host.replace(/^([a-z2-7]{8})[a-z2-7]{20,}\./, "$1….");
}

function newsText(kind: string, detail: Json | undefined): string {
  const { problems, name, message, at, method, path, status } = (detail ?? {}) as Readonly<Record<string, Json>>;
  if (Array.isArray(problems)) return problems.join("\n");
  const place = at as { path: string; line: number } | undefined;
  const request = [method, path, status].filter((part) => typeof part === "string" || typeof part === "number");
  if (typeof message !== "string") return request.join(" ");
  const what = typeof name === "string" ? name : (WORDS[kind] ?? kind);
  return `${what}: ${message}${place ? ` (${place.path.slice(1)}:${place.line})` : ""}`;
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
