import { isDurable, type WatchFrame } from "@tenrec/protocol";
import { Watcher } from "../../packages/runtime/src/simulation/with-watcher.ts";

/** How long it may take until everything has been seen. In milliseconds. */
const PATIENCE_MS = 10_000;

/** A client that watches a session of one object, before and after its deaths, and notes what it must not see. */
export class Tab {
  readonly #watcher = new Watcher("s");
  #socket: WebSocket | undefined;
  #onFrames: () => void = () => {};
  /** Pieces of what a model was saying. */
  deltas = 0;

  /** Connects with the last event that it saw. */
  async open(url: string): Promise<void> {
    const socket = new WebSocket(`${url}/watch?session=s&after=${this.#watcher.after}`);
    this.#socket = socket;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener("open", () => resolve());
    // Without a listener, the loss of a connection would be thrown.
    socket.addEventListener("error", () => reject(new Error("the watcher could not connect")));
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    await promise;
  }

  #receive(message: string): void {
    const frames = JSON.parse(message) as WatchFrame[];
    this.deltas += frames.filter((frame) => frame.type === "event" && !isDurable(frame.event)).length;
    this.#watcher.receive(message);
    this.#onFrames();
  }

  /** Its connection is lost, as that of every client of a server that was killed. */
  lose(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#watcher.disconnected();
  }

  /** Resolves once it has heard a piece of what is being said. False when it does not. */
  hears(): Promise<boolean> {
    return this.#until(() => this.deltas > 0);
  }

  /** Comes back, and says what it did not see as it should. */
  async problems(url: string, lastSeq: number): Promise<string[]> {
    await this.open(url);
    const { seen, violations } = this.#watcher;
    await this.#until(() => (seen.at(-1)?.seq ?? 0) >= lastSeq);
    this.lose();
    return seen.length === lastSeq
      ? violations
      : [...violations, `I8: a watcher saw ${seen.length} of ${lastSeq} events`];
  }

  async #until(isSo: () => boolean): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    this.#onFrames = () => {
      if (isSo()) resolve(true);
    };
    this.#onFrames();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#onFrames = () => {};
    }
  }
}
