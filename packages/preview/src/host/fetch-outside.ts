import { type Egress, hasCode } from "@tenrec/protocol";

/** Of one answer; what is larger breaks off. */
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Sends a request of an app to the internet, where that is allowed. What is not, and what fails, is an answer that says so. */
export async function fetchOutside(egress: Egress, request: Request): Promise<Response> {
  try {
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    if (body && body.byteLength > MAX_REQUEST_BYTES)
      return refused(413, `the body has more than ${MAX_REQUEST_BYTES} bytes`);
    const answer = await egress.fetch({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(body ? { body } : {}),
      // The app's own runtime follows, with a request for each step.
      maxRedirects: 0,
      maxBytes: MAX_BYTES,
      timeout: TIMEOUT_MS,
      signal: request.signal,
    });
    const headers = new Headers(answer.headers);
    // The body was unpacked on its way.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
    const { status, statusText } = answer;
    const empty = status === 101 || status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : streamOf(answer.body), { status, statusText, headers });
  } catch (error) {
    return failed(error);
  }
}

/** Who cancels the stream ends the reading. */
function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

function failed(error: unknown): Response {
  const reason = error instanceof Error ? error.message : String(error);
  if (hasCode(error, "egress-refused") || hasCode(error, "permission-denied") || hasCode(error, "approval-required")) {
    return refused(403, reason);
  }
  return refused(hasCode(error, "timeout") ? 504 : 502, reason);
}

function refused(status: number, reason: string): Response {
  return new Response(`${reason}\n`, { status, headers: { "content-type": "text/plain;charset=utf-8" } });
}
