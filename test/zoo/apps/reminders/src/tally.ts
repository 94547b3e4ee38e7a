import { DurableObject } from "cloudflare:workers";

export class Tally extends DurableObject {
  #inMemory = 0;

  async count(list: string): Promise<void> {
    this.#inMemory += 1;
    this.ctx.storage.kv.put(list, (this.ctx.storage.kv.get<number>(list) ?? 0) + 1);
  }

  async total(): Promise<Record<string, number>> {
    return Object.fromEntries(this.ctx.storage.kv.list<number>());
  }

  get memory(): number {
    return this.#inMemory;
  }
}
