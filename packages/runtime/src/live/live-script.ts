/** Where a page's socket is, below the path of its preview. */
export const LIVE_PATH = "/@tenrec/live";

/** Closes the socket of a page that may not be seen any more. The page loads again, to say so. */
export const LIVE_ENDED = 4410;

/** Closes the socket of a page that said too much. */
export const LIVE_REFUSED = 4400;

/** The most that a page says of what goes wrong in it, until it is loaded again. */
export const MOST_PAGE_ERRORS = 20;

export interface LiveScript {
  /** Root hash of the tree that the page is of. */
  readonly tree: string;
  /** The path below which the app is, with a slash at its end. */
  readonly base: string;
  readonly nonce: string;
}

/** The element that keeps a page up to date, and tells what goes wrong in it. It runs first, and takes itself out. */
export function liveScript({ tree, base, nonce }: LiveScript): string {
  return `<script nonce="${nonce}" data-tree="${tree}" data-base="${base}">${SCRIPT}</script>`;
}

// What it uses it takes before the app can replace it. A page that came by being loaded again and is still not up to date,
// such as one that a service worker kept, waits before it tries once more.
const SCRIPT = `(() => {
  const self = document.currentScript;
  const { tree, base } = self.dataset;
  self.remove();
  const [Socket, later, { error: print }] = [WebSocket, setTimeout, console];
  const address = new URL(base + "${LIVE_PATH.slice(1)}", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const again = performance.getEntriesByType("navigation")[0]?.type === "reload";
  let [left, wait, socket, queue, isLeaving] = [${MOST_PAGE_ERRORS}, 250, undefined, [], false];
  const flush = () => {
    if (socket?.readyState !== 1 || queue.length === 0) return;
    socket.send(JSON.stringify({ page: "/" + location.pathname.slice(base.length), errors: queue }));
    queue = [];
  };
  const reload = (ms) => {
    if (!isLeaving) later(() => location.reload(), ms);
    isLeaving = true;
  };
  const connect = () => {
    let isFirst = true;
    socket = new Socket(address);
    socket.onopen = () => { wait = 250; flush(); };
    socket.onmessage = ({ data }) => {
      if (JSON.parse(data).tree !== tree) reload(isFirst && again ? 1000 : 50);
      isFirst = false;
    };
    socket.onclose = ({ code }) => {
      if (code === ${LIVE_ENDED}) return reload(50);
      later(connect, wait * (1 + Math.random()));
      wait = Math.min(wait * 2, 15000);
    };
  };
  const text = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    try { return JSON.stringify(value) ?? String(value); } catch { return String(value); }
  };
  const line = ([first, ...rest]) => {
    const filled = typeof first === "string" ? first.replace(/%[sdifoOc]/g, (all) => rest.length > 0 ? text(rest.shift()) : all) : text(first);
    return [filled, ...rest.map(text)].join(" ");
  };
  const tell = (what, message, stack) => {
    if (left-- <= 0) return;
    const places = String(stack ?? "").replaceAll(location.origin + base, "/");
    queue.push({ what, message: String(message).slice(0, 2000), stack: places.slice(0, 4000) });
    flush();
  };
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) {
      const place = "at " + event.filename + ":" + event.lineno + ":" + event.colno;
      const stack = String(event.error?.stack ?? "");
      tell("error", event.message, event.filename && !stack.includes(event.filename) ? stack + "\\n" + place : stack);
    } else if (event.target instanceof Element) {
      const { localName, src, href } = event.target;
      tell("resource", "<" + localName + "> could not load " + String(src || href).replace(location.origin + base, "/"));
    }
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => tell("rejection", text(reason), reason?.stack));
  console.error = (...said) => {
    const frames = String(new Error().stack).split("\\n");
    tell("console", line(said), frames.slice(/^Error/.test(frames[0]) ? 2 : 1).join("\\n"));
    print.apply(console, said);
  };
  connect();
})();`;
