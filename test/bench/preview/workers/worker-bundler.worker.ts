import { createWorker } from "@cloudflare/worker-bundler";
import { DurableObject } from "cloudflare:workers";
import type { AppFile } from "../app/app-file.ts";

interface Env {
  readonly SUBJECTS: DurableObjectNamespace;
  readonly LOADER: WorkerLoader;
}

/** `createWorker` and the Worker Loader as the README of `@cloudflare/worker-bundler` shows them, over files in memory. */
export class Subject extends DurableObject<Env> {
  readonly #files: Record<string, string> = {};
  #version = 0;

  override async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const [, object, operation, ...rest] = pathname.split("/");
    try {
      if (operation === "save") {
        for (const { path, text } of await request.json<AppFile[]>()) this.#files[path] = text;
        this.#version += 1;
        return new Response();
      }
      return await this.#show(`${object}-${this.#version}`, new Request(`https://app.test/${rest.join("/")}${search}`));
    } catch (error) {
      return new Response(error instanceof Error ? (error.stack ?? error.message) : String(error), { status: 500 });
    }
  }

  async #show(id: string, request: Request): Promise<Response> {
    const worker = this.env.LOADER.get(id, async () => {
      const { mainModule, modules } = await createWorker({ files: { ...this.#files }, entryPoint: "src/index.ts" });
      const code = { mainModule, modules, compatibilityDate: "2026-10-01", globalOutbound: null };
      // Its own type lets a module be absent.
      return code as WorkerLoaderWorkerCode;
    });
    return worker.getEntrypoint().fetch(request);
  }
}

export default {
  fetch: (request: Request, { SUBJECTS }: Env): Promise<Response> =>
    SUBJECTS.getByName(new URL(request.url).pathname.split("/")[1] ?? "").fetch(request),
};
