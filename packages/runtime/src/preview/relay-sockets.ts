/**
 * The most that one side may send within a time, in UTF-16 units or bytes and in milliseconds. What the other side has not taken
 * yet is in the memory of the object in between, and the platform does not tell how much that is.
 */
const MOST_SENT = 32 * 1024 * 1024;
const WINDOW_MS = 10_000;

/** Policy violation: what a socket is closed with that may not go on. */
const NOT_ALLOWED = 1008;

/** The other side went away without a word, or broke. */
const GOING_AWAY = 1001;
const BROKEN = 1011;

/**
 * Joins two sockets that nobody has accepted yet: what one is sent, the other sends, until both have closed. Returns what closes
 * both of them, with a reason. `onEnd` is called once it is over; `now` tells milliseconds.
 */
export function relaySockets(
  app: WebSocket,
  page: WebSocket,
  { onEnd, now }: { readonly onEnd: () => void; readonly now: () => number },
): (reason: string) => void {
  const end = (reason: string): void => {
    for (const socket of [page, app]) close(socket, NOT_ALLOWED, reason);
    onEnd();
  };
  for (const [from, to, lost] of [
    [app, page, BROKEN],
    [page, app, GOING_AWAY],
  ] as const) {
    const isTooMuch = createMeter(now);
    from.binaryType = "arraybuffer";
    // Each side answers the other's close itself.
    from.accept({ allowHalfOpen: true });
    from.addEventListener("message", ({ data }) => {
      const message = data as string | ArrayBuffer;
      if (isTooMuch(typeof message === "string" ? message.length : message.byteLength)) end(TOO_MUCH);
      else send(to, message);
    });
    from.addEventListener("close", ({ code, reason }) => {
      close(to, code === NO_CLOSE ? lost : code, reason);
      if (to.readyState === WebSocket.CLOSED) onEnd();
    });
    from.addEventListener("error", () => {
      close(to, lost, "");
      onEnd();
    });
  }
  return end;
}

const TOO_MUCH = "Too much was sent at once.";

function createMeter(now: () => number): (size: number) => boolean {
  let [start, sent] = [now(), 0];
  return (size) => {
    if (now() - start >= WINDOW_MS) [start, sent] = [now(), 0];
    sent += size;
    return sent > MOST_SENT;
  };
}

/** What a close event says when there was no close at all. */
const NO_CLOSE = 1006;

/** What it says when there was no code. */
const NO_CODE = 1005;

function close(socket: WebSocket, code: number, reason: string): void {
  try {
    if (code === NO_CODE) socket.close();
    else socket.close(code, reason);
  } catch {
    // It has closed meanwhile.
  }
}

function send(socket: WebSocket, data: string | ArrayBuffer): void {
  try {
    socket.send(data);
  } catch {
    // It has closed meanwhile, which the other side is told.
  }
}
