import { env, RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import { price } from "./price";

class Cart extends RpcTarget {
  #items = new Map<string, number>();

  add(sku: string, count = 1): number {
    this.#items.set(sku, (this.#items.get(sku) ?? 0) + count);
    return this.size;
  }

  get size(): number {
    return [...this.#items.values()].reduce((sum, count) => sum + count, 0);
  }

  async total(): Promise<string> {
    const prices = [...this.#items].map(([sku, count]) => sku.length * count);
    return price(prices.reduce((sum, each) => sum + each, 0));
  }
}

export class Catalog extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    return new Response(`catalog: ${request.method} ${new URL(request.url).pathname}`, { headers: { "x-from": "catalog" } });
  }

  async stock(sku: string): Promise<number> {
    return Number((await this.env.STOCK.get(sku)) ?? 0);
  }

  async refill(sku: string, count: number): Promise<Date> {
    await env.STOCK.put(sku, `${count}`);
    return new Date(0);
  }

  cart(): Cart {
    return new Cart();
  }

  async each(skus: string[], visit: (sku: string, stock: number) => Promise<void>): Promise<number> {
    for (const sku of skus) await visit(sku, await this.stock(sku));
    return skus.length;
  }

  lines(): ReadableStream {
    return new Response("one\ntwo\n").body!;
  }

  refuse(sku: string): never {
    throw new RangeError(`${sku} is not for sale`);
  }
}
