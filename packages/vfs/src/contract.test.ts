import type { FileSystem } from "@tenrec/protocol";
import { fileSystemCases, searchCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import type { Overlay } from "./overlay/overlay.ts";
import { createSearch } from "./search/create-search.ts";
import type { StorageLike } from "./sql.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

const nothing = async (): Promise<void> => {};

function overlaySubject(storage: StorageLike) {
  const store = new TreeStore(storage);
  const overlay = store.overlay(store.emptyTree);
  return { fs: overlay, search: async () => createSearch(overlay), [Symbol.asyncDispose]: nothing };
}

/** Commits after every call and goes on with a new store, so that each case reads what was stored. */
function storedSubject(storage: StorageLike) {
  const store = new TreeStore(storage);
  store.setHead("main", store.emptyTree);
  const open = (): { store: TreeStore; overlay: Overlay } => {
    const reopened = new TreeStore(storage);
    return { store: reopened, overlay: reopened.overlay(reopened.head("main"), { maxBytes: 128 * 1024 * 1024 }) };
  };
  let last: Promise<unknown> = Promise.resolve();
  const fs = new Proxy({} as FileSystem, {
    get: (_, name) => {
      if (name === "resolvePath") return (base: string, path: string) => open().overlay.resolvePath(base, path);
      return (...args: unknown[]) => {
        const call = last.then(async () => {
          const { store, overlay } = open();
          const method = Reflect.get(overlay, name) as (...args: unknown[]) => Promise<unknown>;
          const result = await method.apply(overlay, args);
          store.commit("main", await store.stage(overlay));
          return result;
        });
        last = call.catch(() => {});
        return call;
      };
    },
  });
  return { fs, takesHugeFiles: true, search: async () => createSearch(open().overlay), [Symbol.asyncDispose]: nothing };
}

describe.each([
  ["an overlay", overlaySubject],
  ["what is stored", storedSubject],
])("the contract of %s", (_, subject) => {
  for (const contract of fileSystemCases) {
    test(
      `${contract.group}: ${contract.name}`,
      () =>
        withStorage(async (storage) => {
          await expect(contract.run(async () => subject(storage))).resolves.toBeUndefined();
        }),
      60_000,
    );
  }
  for (const contract of searchCases) {
    test(`${contract.group}: ${contract.name}`, () =>
      withStorage(async (storage) => {
        await expect(contract.run(async () => subject(storage))).resolves.toBeUndefined();
      }));
  }
});
