import { MOST_PAGE_ERRORS } from "./live-limits.ts";

/**
 * Of the script of a page: tells what goes wrong in it, and shows what nobody caught.
 *
 * Of an error that no frame of a script was there for, such as a top-level await of JSON that is none, a browser says nothing
 * but "Script error."; yet a module that failed gives what it failed with to each who imports it. What the JSON of an
 * answer fails with gets the place of who asked for it.
 */
export const ERRORS_SCRIPT: string = `
  const text = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    try { return JSON.stringify(value) ?? String(value); } catch { return String(value); }
  };
  const line = ([first, ...rest]) => {
    const filled = typeof first === "string" ? first.replace(/%[sdifoOc]/g, (all) => rest.length > 0 ? text(rest.shift()) : all) : text(first);
    return [filled, ...rest.map(text)].join(" ");
  };
  const callers = ({ stack }) => {
    const frames = String(stack).split("\\n");
    return frames.slice(/^Error/.test(frames[0]) ? 2 : 1).join("\\n");
  };
  let told = 0;
  const known = new WeakSet();
  const tell = (what, message, stack) => {
    if (told >= ${MOST_PAGE_ERRORS}) return undefined;
    told += 1;
    const placed = String(stack ?? "").replaceAll(own, "/");
    const error = { id: told, what, message: String(message).slice(0, 2000), stack: placed.slice(0, 4000) };
    queue.push(error);
    flush();
    return error;
  };
  const uncaught = (what, message, stack, event) => {
    const error = tell(what, message, stack);
    if (error) later(() => event?.defaultPrevented || show(error));
  };
  const modules = new Set();
  document.addEventListener("load", ({ target }) => {
    if (target instanceof HTMLScriptElement && target.type === "module" && target.src) modules.add(target.src);
  }, true);
  let lately;
  const unsaid = async () => {
    const guess = lately;
    const failed = [...modules].map((src) => import(src).then(() => new Promise(() => {}), (error) => [src, error]));
    const [src, error = guess] = await Promise.race([...failed, new Promise((done) => later(done, 300, []))]);
    if (error === undefined) {
      tell("error", "Script error. The browser says no more of it: it is of a script of another site, or of a top-level await in the page.");
      return;
    }
    if (error instanceof Object && known.has(error)) return;
    if (error instanceof Object) known.add(error);
    const stack = String(error?.stack ?? "");
    const where = stack.includes("\\n") || !src ? "" : " (in a top-level await of " + src.replace(own, "/") + ", or of what it imports)";
    uncaught("error", "Uncaught " + text(error) + where, stack);
  };
  addEventListener("error", (event) => {
    const { target, error, message, filename, lineno, colno } = event;
    if (target instanceof Element) {
      const { localName, src, href } = target;
      return void tell("resource", "<" + localName + "> could not load " + String(src || href).replace(own, "/"));
    }
    if (!(event instanceof ErrorEvent) || /^ResizeObserver loop/.test(message)) return;
    if (!error && !filename && /^Script error/.test(message)) return void unsaid();
    if (error instanceof Object) known.add(error);
    const stack = String(error?.stack ?? "");
    const isPlaced = lineno === 0 || stack.includes(filename);
    const said = error === null || error === undefined || error instanceof Error ? message : "Uncaught " + text(error);
    uncaught("error", said, isPlaced ? stack : stack + "\\n" + "at " + filename + ":" + lineno + ":" + colno, event);
  }, true);
  addEventListener("unhandledrejection", (event) => uncaught("rejection", text(event.reason), event.reason?.stack, event));
  console.error = (...said) => {
    const { stack = "" } = said.find((value) => value instanceof Error) ?? {};
    tell("console", line(said), stack + "\\n" + callers(new Error()));
    print.apply(console, said);
  };
  const { json } = Response.prototype;
  Response.prototype.json = { json() {
    const asked = new Error();
    return json.call(this).catch((error) => {
      if (error instanceof Error && !String(error.stack).includes(location.origin)) error.stack = error + "\\n" + callers(asked);
      lately = error;
      later(() => { lately = undefined; }, 0);
      throw error;
    });
  } }.json;
`;
