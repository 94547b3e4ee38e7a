import { describe, expect, test } from "vitest";
import type { StorageLike } from "../sql.ts";
import { withStorage } from "../with-store.ts";
import { fakeCommit, fakeObject, fakePack, fakeServer, fakeTree } from "./with-fake-server.ts";
import { openWorkspace, type Workspace } from "./with-git.ts";

/** The same storage, but that the statement with this number, counted from 1, fails before or after it did its work. */
function failing(
  storage: StorageLike,
  number: number,
  when: "before" | "after",
): { storage: StorageLike; count: () => number } {
  let count = 0;
  const exec: StorageLike["sql"]["exec"] = (query, ...bindings) => {
    count++;
    if (count === number && when === "before") throw new Error("the object died");
    const rows = storage.sql.exec(query, ...bindings);
    if (count === number) throw new Error("the object died");
    return rows as ReturnType<StorageLike["sql"]["exec"]> as never;
  };
  return { storage: { sql: { exec }, transactionSync: (run) => storage.transactionSync(run) }, count: () => count };
}

const file = fakeObject(3, "text\n");
const tree = fakeTree([["100644", "a.txt", file]]);
const tip = fakeCommit(tree);
const fetch = fakeServer({ refs: { HEAD: tip.oid, "refs/heads/main": tip.oid }, pack: fakePack([tip, tree, file]) });
const URL = "https://example.com/a.git";

async function stateOf(workspace: Workspace): Promise<string> {
  const [files, refs] = [await workspace.files(), workspace.refs()];
  const entries = refs["HEAD"] === undefined ? [] : (await workspace.call((git) => git.status())).entries;
  return JSON.stringify({ files, refs, entries });
}

const CALLS: readonly [
  name: string,
  before: (workspace: Workspace) => Promise<unknown>,
  call: (workspace: Workspace) => Promise<unknown>,
][] = [
  ["a clone", async () => {}, (workspace) => workspace.call((git) => git.clone({ url: URL }), { fetch })],
  [
    "a commit",
    (workspace) => workspace.call((git) => git.clone({ url: URL }), { fetch }),
    (workspace) =>
      workspace.call(async (git, overlay) => {
        await overlay.writeFile("/a.txt", "more\n");
        await overlay.writeFile("/b.txt", "new\n");
        await git.add(["/"]);
        return git.commit({ message: "ours" });
      }),
  ],
  [
    "a checkout",
    (workspace) =>
      workspace.call(
        async (git, overlay) => {
          await git.clone({ url: URL });
          await overlay.writeFile("/a.txt", "more\n");
          await git.add(["/"]);
          return git.commit({ message: "ours" });
        },
        { fetch },
      ),
    (workspace) => workspace.call((git) => git.checkout("other", { create: true, from: "HEAD~1" })),
  ],
];

describe("an object that dies at any statement of", () => {
  test.each(CALLS)("%s is as before or as after, and can do it again", (_, before, call) =>
    withStorage(async (storage) => {
      const first = openWorkspace(storage);
      await before(first);
      const old = await stateOf(first);
      const fork = (name: string): Workspace => {
        first.tree.setHead(name, first.tree.head("main"));
        first.store.copy("main", name);
        return openWorkspace(storage, name);
      };
      const counter = failing(storage, -1, "before");
      fork("count");
      await call(openWorkspace(counter.storage, "count"));
      const done = await stateOf(openWorkspace(storage, "count"));
      expect(done).not.toBe(old);
      const ends = { old: 0, done: 0 };
      for (let number = 1; number <= counter.count(); number++) {
        const when = number % 2 === 0 ? "before" : "after";
        const name = `try-${number}`;
        fork(name);
        const died = failing(storage, number, when);
        await Promise.resolve()
          .then(() => call(openWorkspace(died.storage, name)))
          .catch(() => undefined);
        const again = openWorkspace(storage, name);
        const state = await stateOf(again);
        expect([old, done]).toContain(state);
        ends[state === old ? "old" : "done"]++;
        if (state === old) await call(again);
        expect(await stateOf(again)).toBe(done);
      }
      expect(ends.old).toBeGreaterThan(20);
    }),
  );
});
