import { DurableObject } from "cloudflare:workers";

interface Env {
  readonly SUBJECTS: DurableObjectNamespace;
  readonly LOADER: WorkerLoader;
}

/** Loads one app again and again, each time into a new isolate. */
export class Subject extends DurableObject<Env> {
  #code: WorkerLoaderWorkerCode | undefined;
  #loads = 0;

  override async fetch(request: Request): Promise<Response> {
    const [, object, operation] = new URL(request.url).pathname.split("/");
    if (operation === "put") this.#code = await request.json<WorkerLoaderWorkerCode>();
    if (operation !== "load") return new Response();
    this.#loads += 1;
    const worker = this.env.LOADER.get(`${object}-${this.#loads}`, () => {
      if (!this.#code) throw new Error(`${object} has no code`);
      return { ...this.#code, globalOutbound: null };
    });
    return worker.getEntrypoint().fetch("https://app.test/");
  }
}

export default {
  fetch: (request: Request, { SUBJECTS }: Env): Promise<Response> =>
    SUBJECTS.getByName(new URL(request.url).pathname.split("/")[1] ?? "").fetch(request),
};
