import { LIVE_ENDED, LIVE_PATH } from "./live-limits.ts";

/**
 * Of the script of a page: holds the socket, and loads the page again when its files are other ones. What it uses it takes before
 * the app can replace it. A page that came by being loaded again and is still not up to date, such as one that a service
 * worker kept, waits before it tries once more. Where only style sheets changed that the page links to, these alone are loaded.
 *
 * The page around a frame is told where in the app it is, and may ask for that, and to load it again: by itself it can do
 * neither. One of the app itself can, and is told nothing.
 */
export const CONNECT_SCRIPT: string = `
  const [Socket, later, { error: print }] = [WebSocket, setTimeout, console];
  const address = new URL(base + "${LIVE_PATH.slice(1)}", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const own = location.origin + base;
  const again = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const queue = [];
  let [current, wait, socket, retry, isLeaving] = [tree, 250, undefined, undefined, false];
  const path = () => "/" + location.pathname.slice(base.length);
  const flush = () => {
    if (socket?.readyState !== 1 || queue.length === 0) return;
    socket.send(JSON.stringify({ page: path(), errors: queue.splice(0) }));
  };
  const reload = (ms) => {
    if (!isLeaving) later(() => location.reload(), ms);
    isLeaving = true;
  };
  const restyle = (changed, next) => {
    const links = [...document.querySelectorAll("link[rel~=stylesheet]")].filter(({ href }) => href.startsWith(own));
    const isOf = (link, file) => file.endsWith("/" + decodeURI(new URL(link.href).pathname.slice(base.length)));
    if (!changed.every((file) => links.some((link) => isOf(link, file)))) return false;
    for (const link of links) {
      if (!changed.some((file) => isOf(link, file))) continue;
      const url = new URL(link.href);
      url.searchParams.set("tenrec", next);
      const copy = link.cloneNode();
      copy.href = url.href;
      copy.onload = copy.onerror = () => link.remove();
      link.after(copy);
    }
    return true;
  };
  const connect = () => {
    let isFirst = true;
    socket = new Socket(address);
    socket.onopen = () => { wait = 250; flush(); };
    socket.onmessage = ({ data }) => {
      const { tree: next, before, styles, located } = JSON.parse(data);
      if (located) return located.forEach(locate);
      const isKnown = next === current || (styles && before === current && restyle(styles, next));
      if (isKnown) current = next;
      else reload(isFirst && again ? 1000 : 50);
      isFirst = false;
    };
    socket.onclose = ({ code }) => {
      if (code === ${LIVE_ENDED}) return reload(50);
      retry = later(connect, wait * (1 + Math.random()));
      wait = Math.min(wait * 2, 4000);
    };
  };
  const hurry = () => {
    if (document.hidden || socket?.readyState !== 3) return;
    clearTimeout(retry);
    connect();
  };
  document.addEventListener("visibilitychange", hurry);
  addEventListener("online", hurry);
  addEventListener("pageshow", hurry);
  const isOwn = () => { try { return parent.location.origin === location.origin; } catch { return false; } };
  const around = isOwn() ? undefined : parent;
  const place = () => around?.postMessage({ tenrec: "page", path: path() + location.search }, "*");
  addEventListener("message", ({ source, data }) => {
    if (!around || source !== around) return;
    if (data?.tenrec === "ask") place();
    if (data?.tenrec === "reload") reload(0);
  });
  window.navigation?.addEventListener("currententrychange", place);
  place();
`;
