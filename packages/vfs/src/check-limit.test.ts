import { expect, test } from "vitest";
import { importEntries } from "./archive/import-entries.ts";
import { createGit } from "./git/create-git.ts";
import { GitStore } from "./git/git-store.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

test.each([Number.NaN, -1, "x"])("a limit that is %s is refused", (wrong) =>
  withStorage(async (storage) => {
    const refused = expect.objectContaining({ code: "request-invalid" });
    const limit = wrong as number;
    expect(() => new TreeStore(storage, { maxFileBytes: limit })).toThrow(refused);
    const store = new TreeStore(storage);
    expect(() => store.overlay(store.emptyTree, { maxBytes: limit })).toThrow(refused);
    for (const name of ["maxEntries", "maxBytes", "maxFileBytes", "maxRatio"]) {
      const overlay = store.overlay(store.emptyTree);
      await expect(importEntries(overlay, [], { [name]: limit })).rejects.toEqual(refused);
    }
    const options = { store: new GitStore(storage), repository: "main", overlay: store.overlay(store.emptyTree) };
    expect(() => createGit({ ...options, limits: { maxPackBytes: limit } })).toThrow(refused);
    const git = createGit({ ...options, author: { name: "Ada", email: "ada@example.com" } });
    await git.init();
    await git.commit({ message: "x", allowEmpty: true });
    await expect(git.log({ limit })).rejects.toEqual(refused);
    expect(await git.log({ limit: 0 })).toEqual([]);
  }),
);
