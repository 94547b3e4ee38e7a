import { withoutPassThrough } from "./adopt-globals.ts";
import { EXCEPTION_HEADER } from "./gateway-binding.ts";

type Handler = (...args: unknown[]) => unknown;

/**
 * The default export of the app, with a `fetch` that answers with what it threw: over the boundary of the isolate, an
 * error loses its stack.
 */
export function hostedWorker(original: unknown): unknown {
  if (typeof original === "function") return hostedEntrypoint(original as new (...args: unknown[]) => object);
  if (typeof original !== "object" || original === null) return original;
  const { fetch } = original as { fetch?: Handler };
  if (typeof fetch !== "function") return original;
  const hosted = Object.create(original) as { fetch: Handler };
  Object.defineProperty(hosted, "fetch", {
    value: (...args: unknown[]) => {
      withoutPassThrough(args[2]);
      return caught(() => fetch.apply(original, args));
    },
    enumerable: true,
  });
  return hosted;
}

function hostedEntrypoint(original: new (...args: unknown[]) => object): unknown {
  const { fetch } = original.prototype as { fetch?: Handler };
  if (typeof fetch !== "function") return original;
  const hosted = class extends original {};
  Object.defineProperty(hosted.prototype, "fetch", {
    value: function caughtFetch(this: object, ...args: unknown[]) {
      withoutPassThrough((this as { ctx?: unknown }).ctx);
      return caught(() => fetch.apply(this, args));
    },
  });
  return hosted;
}

async function caught(run: () => unknown): Promise<Response> {
  try {
    return (await run()) as Response;
  } catch (error) {
    return exceptionResponse(error);
  }
}

function exceptionResponse(error: unknown): Response {
  const known = error instanceof Error;
  const exception = known
    ? { name: error.name, message: error.message, stack: error.stack ?? "" }
    : { name: "Error", message: `thrown: ${describe(error)}`, stack: "" };
  return Response.json(exception, { status: 500, headers: { [EXCEPTION_HEADER]: "1" } });
}

function describe(value: unknown): string {
  try {
    return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return String(value);
  }
}
