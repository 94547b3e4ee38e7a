import { Catalog } from "./catalog";
import { price } from "./price";

export { Catalog };

/** An entrypoint that is an object, as older Workers have them. */
export const admin: ExportedHandler<Env> = {
  fetch: async (request, env) => Response.json({ admin: true, currency: env.CURRENCY, body: await request.text() }),
};

async function cart(env: Env): Promise<Response> {
  using cart = await env.CATALOG.cart();
  await cart.add("mug");
  const size = await cart.add("teapot", 2);
  // In one round trip: a call on what is not there yet.
  const pipelined = await env.CATALOG.cart().add("cup", 3);
  return Response.json({ size, total: await cart.total(), property: await cart.size, pipelined });
}

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const url = new URL(request.url);
    switch (url.pathname) {
      case "/":
        return new Response(`${price(10)} in ${Object.keys(env).sort().join(" ")}`);
      case "/self": {
        const depth = Number(url.searchParams.get("depth") ?? 2);
        if (depth === 0) return new Response("bottom", { headers: { "x-depth": "0" } });
        url.searchParams.set("depth", `${depth - 1}`);
        const inner = await env.SELF.fetch(new Request(url, request));
        return new Response(`${depth} ${await inner.text()}`, inner);
      }
      case "/catalog":
        return env.CATALOG.fetch("https://catalog/items?x=1", { method: "PUT", body: "x" });
      case "/admin":
        return env.ADMIN.fetch(request);
      case "/stock": {
        const refilled = await env.CATALOG.refill("mug", 7);
        const seen: unknown[] = [];
        const visited = await env.CATALOG.each(["mug", "cup"], async (sku, stock) => void seen.push([sku, stock]));
        return Response.json({ refilled: refilled.getTime(), stock: await env.CATALOG.stock("mug"), visited, seen });
      }
      case "/cart":
        return cart(env);
      case "/lines":
        return new Response(await env.CATALOG.lines());
      case "/refuse": {
        const error = await env.CATALOG.refuse("moon").catch((reason: unknown) => reason);
        return Response.json({ name: (error as Error).name, message: (error as Error).message, range: error instanceof RangeError });
      }
      case "/exports":
        return Response.json(await ctx.exports.Catalog.stock("mug"));
      case "/missing": {
        const missing = env.CATALOG as unknown as { nothing(): Promise<void> };
        const error = await missing.nothing().catch((reason: unknown) => reason);
        return Response.json({ message: (error as Error).message });
      }
      default:
        return new Response("Not found", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
