import { DurableObject } from "cloudflare:workers";

const encoder = new TextEncoder();

/** Passes what is published on to whoever listens. */
export class Channel extends DurableObject {
  #listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  #last = 0;

  publish(text: string): number {
    this.#last += 1;
    const message = encoder.encode(`id: ${this.#last}\ndata: ${text.replaceAll("\n", "\ndata: ")}\n\n`);
    for (const listener of this.#listeners) listener.enqueue(message);
    return this.#listeners.size;
  }

  listeners(): number {
    return this.#listeners.size;
  }

  end(): void {
    for (const listener of this.#listeners) listener.close();
    this.#listeners.clear();
  }

  async fetch(request: Request): Promise<Response> {
    const known = request.headers.get("last-event-id");
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#listeners.add(own);
        controller.enqueue(encoder.encode(`: hello${known ? ` again after ${known}` : ""}\n\n`));
      },
      cancel: () => {
        this.#listeners.delete(own);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
  }
}
