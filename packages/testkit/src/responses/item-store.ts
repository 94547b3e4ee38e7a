import { Refusal } from "../wire/refusal.ts";
import type { Content } from "../wire/wire.ts";

/** The items of answered requests, which later requests may refer to by their id. */
export interface ItemStore {
  keep(id: string, item: Content): void;
  /** Throws a `Refusal` for an id that is not there. */
  find(id: string): Content;
}

export function itemStore(): ItemStore {
  const items = new Map<string, Content>();
  return {
    keep: (id, item) => void items.set(id, item),
    find(id) {
      const item = items.get(id);
      if (item) return item;
      const hint = "Items are not persisted when `store` is set to false.";
      throw new Refusal(404, `Item with id '${id}' not found. ${hint}`, "item_not_found");
    },
  };
}
