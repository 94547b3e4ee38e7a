import { DurableObject } from "cloudflare:workers";
import { type LivePreviews, type PreviewDoor, PreviewGateway } from "./src/index.ts";

export { PreviewGateway };

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_OBJECT: DurableObjectNamespace<TestObject>;
      TEST_LOADER: WorkerLoader;
    }
  }
}

/** An object that hosts previews, as an agent does: a test sets them. */
export class TestObject extends DurableObject<Cloudflare.Env> {
  previews: LivePreviews | undefined;

  override async fetch(request: Request): Promise<Response> {
    return (await this.previews?.gatewayFetch(request)) ?? new Response(null, { status: 404 });
  }

  previewDoor(session: string, app: string): PreviewDoor {
    if (!this.previews) throw new Error("no previews");
    return this.previews.door(session, app);
  }
}

export default { fetch: () => new Response(null, { status: 404 }) };
