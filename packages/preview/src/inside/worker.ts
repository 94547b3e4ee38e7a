import { withoutPassThrough } from "./adopt-globals.ts";
import { EXCEPTION_HEADER } from "./gateway-binding.ts";
import { thrown } from "./thrown.ts";

type Handler = (...args: unknown[]) => unknown;

/**
 * The default export of the app, with a `fetch` that answers with what it threw: over the boundary of the isolate, an
 * error loses its stack. `onStart` is called as each request begins.
 */
export function hostedWorker(original: unknown, onStart: () => void): unknown {
  if (typeof original === "function") return hostedEntrypoint(original as new (...args: unknown[]) => object, onStart);
  if (typeof original !== "object" || original === null) return original;
  const { fetch } = original as { fetch?: Handler };
  if (typeof fetch !== "function") return original;
  const hosted = Object.create(original) as { fetch: Handler };
  Object.defineProperty(hosted, "fetch", {
    value: (...args: unknown[]) => {
      withoutPassThrough(args[2]);
      return caught(() => fetch.apply(original, args), onStart);
    },
    enumerable: true,
  });
  return hosted;
}

function hostedEntrypoint(original: new (...args: unknown[]) => object, onStart: () => void): unknown {
  const { fetch } = original.prototype as { fetch?: Handler };
  if (typeof fetch !== "function") return original;
  const hosted = class extends original {};
  Object.defineProperty(hosted.prototype, "fetch", {
    value: function caughtFetch(this: object, ...args: unknown[]) {
      withoutPassThrough((this as { ctx?: unknown }).ctx);
      return caught(() => fetch.apply(this, args), onStart);
    },
  });
  return hosted;
}

async function caught(run: () => unknown, onStart: () => void): Promise<Response> {
  onStart();
  try {
    return (await run()) as Response;
  } catch (error) {
    return Response.json(thrown(error), { status: 500, headers: { [EXCEPTION_HEADER]: "1" } });
  }
}
