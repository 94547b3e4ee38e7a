import { setImmediate } from "node:timers";
import { expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { createSearch } from "./create-search.ts";

test("a walk with thousands of rules lets others run, and an abort ends it", () =>
  withStorage(async (storage) => {
    const store = new TreeStore(storage);
    const overlay = store.overlay(store.emptyTree);
    for (let count = 0; count < 200; count++) await overlay.writeFile(`/d/${count}`, "");
    await overlay.writeFile("/.gitignore", Array.from({ length: 3000 }, (_, index) => `x${index}*`).join("\n"));
    const controller = new AbortController();
    const reason = new Error("enough");
    setImmediate(() => controller.abort(reason));
    const found: string[] = [];
    const searching = (async () => {
      for await (const event of createSearch(overlay).glob({ pattern: "*" }, controller.signal)) {
        if (event.type === "entry") found.push(event.path);
      }
    })();
    await expect(searching).rejects.toBe(reason);
    expect(found.length).toBeLessThan(100);
  }));
