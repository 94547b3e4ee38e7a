import { WorkerEntrypoint } from "cloudflare:workers";
import { withoutPassThrough } from "./adopt-globals.ts";
import { EXCEPTION_HEADER, STOPPED_HEADER } from "./gateway-binding.ts";
import { thrown } from "./thrown.ts";

type Handler = (...args: unknown[]) => unknown;

type OnStart = (ctx: unknown) => Error | undefined;

type Entrypoint = new (...args: unknown[]) => object;

/**
 * The default export of the app, with a `fetch` that answers with what it threw: over the boundary of the isolate, an
 * error loses its stack. `onStart` is given the context of each request as it begins, and
 * returns why the app was stopped before, if it was.
 */
export function hostedWorker(original: unknown, onStart: OnStart): unknown {
  if (typeof original === "function") return hostedEntrypoint(original as Entrypoint, onStart);
  if (typeof original !== "object" || original === null) return noWorker(original);
  const { fetch } = original as { fetch?: Handler };
  if (typeof fetch !== "function") return original;
  const hosted = Object.create(original) as { fetch: Handler };
  Object.defineProperty(hosted, "fetch", {
    value: (...args: unknown[]) => {
      const stopped = onStart(args[2]);
      if (stopped) return exceptionOf(stopped, STOPPED_HEADER);
      withoutPassThrough(args[2]);
      return caught(() => fetch.apply(original, args));
    },
    enumerable: true,
  });
  return hosted;
}

function hostedEntrypoint(original: Entrypoint, onStart: OnStart): unknown {
  // An arrow function has no prototype.
  if (!(original.prototype instanceof WorkerEntrypoint)) return noWorker(original);
  const { fetch } = original.prototype as { fetch?: Handler };
  if (typeof fetch !== "function") return original;
  const hosted = class extends original {};
  Object.defineProperty(hosted.prototype, "fetch", {
    value: function caughtFetch(this: object, ...args: unknown[]) {
      const { ctx } = this as { ctx?: unknown };
      const stopped = onStart(ctx);
      if (stopped) return exceptionOf(stopped, STOPPED_HEADER);
      withoutPassThrough(ctx);
      return caught(() => fetch.apply(this, args));
    },
  });
  return hosted;
}

/** Of what is no Worker the platform says only that it is of an incorrect type. */
function noWorker(original: unknown): { fetch: Handler } {
  const what = original === undefined ? "has no default export" : `exports a ${typeof original} as default`;
  const error = new TypeError(`The module that main names ${what}. ${HOW}`);
  // None of it is the app's.
  error.stack = "";
  return { fetch: () => caught(() => Promise.reject(error)) };
}

const HOW = "Write, for example: export default { async fetch(request, env, ctx) { return new Response(); } };";

async function caught(run: () => unknown): Promise<Response> {
  try {
    return (await run()) as Response;
  } catch (error) {
    return exceptionOf(error, EXCEPTION_HEADER);
  }
}

function exceptionOf(error: unknown, header: string): Response {
  return Response.json(thrown(error), { status: 500, headers: { [header]: "1" } });
}
