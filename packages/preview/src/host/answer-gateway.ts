import type { Egress } from "@tenrec/protocol";
import { ASSETS_HEADER, OBJECT_HEADER, type ObjectAddress } from "../inside/gateway-binding.ts";
import { serveAsset } from "../assets/serve-asset.ts";
import type { LiveApp } from "./app-loader.ts";
import type { Facets } from "./facets.ts";
import { fetchOutside } from "./fetch-outside.ts";
import type { StoppedApps } from "./stopped-apps.ts";
import { fromGateway } from "./gateway-request.ts";

export interface GatewayAnswerOptions {
  /** Throws when the app was let go. */
  readonly app: (id: string) => LiveApp;
  readonly facets: Facets;
  readonly stopped: StoppedApps;
  /** Where requests to the network go; without it they go nowhere. */
  readonly egress: Egress | undefined;
}

/** Passes a request of an app on to one of its Durable Objects or to its assets; undefined for one that no app made. */
export async function answerGateway(
  request: Request,
  { app, facets, stopped, egress }: GatewayAnswerOptions,
): Promise<Response | undefined> {
  const asked = fromGateway(request);
  if (!asked) return undefined;
  if (asked.from.outbound) return egress ? fetchOutside(egress, asked.request) : new Response(null, { status: 403 });
  const headers = new Headers(asked.request.headers);
  const object = headers.get(OBJECT_HEADER);
  const toAssets = headers.has(ASSETS_HEADER);
  headers.delete(OBJECT_HEADER);
  headers.delete(ASSETS_HEADER);
  const plain = new Request(asked.request, { headers });
  const live = app(asked.from.app);
  if (object !== null) {
    const address = JSON.parse(decodeURIComponent(object)) as ObjectAddress;
    const answer = facets.object(asked.from.session, live, address).fetch(plain);
    answer.catch((error: unknown) => stopped.onError(live, error));
    return answer;
  }
  const { client } = live.app;
  const { assets } = live.app.config;
  if (toAssets && client) return (await client.answer(plain)) ?? client.page(plain);
  if (!toAssets || !assets) return new Response("Not found\n", { status: 404 });
  return serveAsset(live.request.fs, assets, plain);
}
