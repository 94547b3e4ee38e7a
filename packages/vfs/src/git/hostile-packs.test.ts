import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import type { GitFetch, GitLimits } from "./git-options.ts";
import {
  fakeCommit,
  fakeObject,
  type FakeObject,
  fakePack,
  fakeServer,
  fakeTree,
  pktLine,
  sealPack,
  sideBand,
} from "./with-fake-server.ts";
import { openWorkspace } from "./with-git.ts";

const URL = "https://example.com/hostile.git";
const MEBIBYTE = 1024 * 1024;
const good = fakeObject(3, "good\n");
const tree = fakeTree([["100644", "a", good]]);
const commit = fakeCommit(tree);
const whole = [commit, tree, good];
const refs = { HEAD: commit.oid, "refs/heads/main": commit.oid };

function delta(base: Uint8Array | undefined, type: 6 | 7, baseSize: number, size: number): FakeObject {
  const number = (value: number): number[] => {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    return [...bytes, value];
  };
  const bytes = Uint8Array.from([...number(baseSize), ...number(size), 1, 0x61]);
  return { type, bytes, oid: "", ...(base ? { base } : {}) };
}

function changed(pack: Uint8Array, at: number): Uint8Array {
  const copy = pack.slice();
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

const pack = fakePack(whole);
const body = Buffer.from(pack.subarray(0, -20));
const withCount = (count: number): Uint8Array => {
  const copy = Buffer.from(body);
  copy.writeUInt32BE(count, 8);
  return sealPack(copy);
};
const PACKS: readonly [name: string, pack: Uint8Array, code: string][] = [
  ["a wrong checksum", changed(pack, pack.length - 1), "git-refused"],
  ["a changed byte", changed(pack, 40), "git-refused"],
  ["a changed byte under a right checksum", sealPack(Buffer.from(changed(body, 40))), "git-refused"],
  ["its end missing", pack.subarray(0, pack.length - 30), "git-refused"],
  ["fewer objects than it says", withCount(9), "git-refused"],
  ["more objects than it says", withCount(2), "git-refused"],
  ["4,000 million objects", withCount(0xf0000000), "git-too-large"],
  [
    "no pack at all",
    new TextEncoder().encode("<html>this is a page, and it has more than 32 bytes</html>"),
    "git-refused",
  ],
  ["an object that claims 10 GB", fakePack([...whole, { ...good, claims: 10 * 1024 ** 3 }]), "git-too-large"],
  ["an object that claims more than there can be", fakePack([...whole, { ...good, claims: 2 ** 52 }]), "git-too-large"],
  ["an object that claims less than it has", fakePack([...whole, { ...good, claims: 1 }]), "git-refused"],
  ["an object that claims more than it has", fakePack([...whole, { ...good, claims: 9 }]), "git-refused"],
  [
    "a bomb: 64 MB of zeros that claim 5 bytes",
    fakePack([...whole, { ...fakeObject(3, new Uint8Array(64 * MEBIBYTE)), claims: 5 }]),
    "git-refused",
  ],
  ["a bomb that tells", fakePack([...whole, fakeObject(3, new Uint8Array(64 * MEBIBYTE))]), "git-too-large"],
  [
    "many bombs",
    fakePack([...whole, ...Array.from({ length: 8 }, () => fakeObject(3, new Uint8Array(MEBIBYTE)))]),
    "git-too-large",
  ],
  [
    "a delta that becomes 10 GB",
    fakePack([...whole, delta(Buffer.from(good.oid, "hex"), 7, 5, 10 * 1024 ** 3)]),
    "git-too-large",
  ],
  ["a delta on something that nobody has", fakePack([...whole, delta(Buffer.alloc(20, 1), 7, 5, 1)]), "git-refused"],
  ["a delta of another base", fakePack([...whole, delta(Buffer.from(good.oid, "hex"), 7, 99, 1)]), "git-refused"],
  [
    "a delta on what is before the pack",
    fakePack([delta(Uint8Array.from([0xff, 0x7f]), 6, 5, 1), ...whole]),
    "git-refused",
  ],
  ["a delta on itself", fakePack([delta(Uint8Array.from([0]), 6, 5, 1), ...whole]), "git-refused"],
  ["an object of a type that is none", fakePack([...whole, { ...good, type: 5 as 4 }]), "git-refused"],
];

async function expectRefusal(
  fetch: GitFetch,
  code: unknown,
  limits: Partial<GitLimits> = {},
  data: object = {},
): Promise<void> {
  await withStorage(async (storage) => {
    const workspace = openWorkspace(storage);
    const small = { maxPackBytes: MEBIBYTE, maxUnpackedBytes: 4 * MEBIBYTE, ...limits };
    const cloned = workspace.call((git) => git.clone({ url: URL }), { fetch, limits: small });
    await expect(cloned).rejects.toMatchObject({ code, data });
    expect([workspace.gitFiles(), await workspace.files()]).toEqual([{}, {}]);
    expect(storage.sql.exec("SELECT COUNT(*) AS parts FROM tenrec_git_parts").toArray()).toEqual([{ parts: 0 }]);
  });
}

/** A body without an end; `pulled` counts the pieces that were taken. */
function endless(piece: Uint8Array): { response: () => Response; pulled: () => number; cancelled: () => boolean } {
  let [count, cancelled] = [0, false];
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull: (controller) => {
        count++;
        controller.enqueue(piece);
      },
      cancel: () => {
        cancelled = true;
      },
    });
  return { response: () => new Response(stream()), pulled: () => count, cancelled: () => cancelled };
}

describe("a pack is refused that has", () => {
  test.each(PACKS)("%s", (_, hostile, code) => expectRefusal(fakeServer({ refs, pack: hostile }), code));

  test("a chain of very many deltas", async () => {
    const objects = [fakeObject(3, "0123456789")];
    // Each copies all ten bytes of the one before it, and is as far behind it as that one is long.
    for (let depth = 0; depth < 1001; depth++) {
      const before = fakePack(objects.slice(-1)).length - 32;
      const bytes = Uint8Array.from([10, 10, 0x90, 10]);
      objects.push({ type: 6, bytes, oid: "", base: Uint8Array.from([before]) });
    }
    const reason = expect.stringContaining("1000 deltas");
    await expectRefusal(fakeServer({ refs, pack: fakePack([...objects, ...whole]) }), "git-refused", {}, { reason });
  });
});

describe("an answer without an end", () => {
  const noise = pktLine(Buffer.concat([Buffer.from([2]), Buffer.alloc(1000, 0x2e)]));
  test.each([
    ["of progress messages", noise],
    ["of pack data", pktLine(Buffer.concat([Buffer.from([1]), Buffer.alloc(60_000, 1)]))],
    ["of lines that are neither", pktLine(Buffer.alloc(1000, 9))],
    ["of one pkt-line in bytes", Buffer.from("0")],
  ])("%s ends at the limit", async (_, piece) => {
    const { response, pulled, cancelled } = endless(piece);
    const limits = { maxPackBytes: piece.length * 100 };
    await expectRefusal(fakeServer({ refs, answer: response }), expect.stringMatching(/^git-/), limits);
    expect(pulled()).toBeLessThan(110);
    expect(cancelled()).toBe(true);
  });

  test("of refs ends at a limit too", async () => {
    const { response, pulled } = endless(pktLine(`${commit.oid} refs/heads/${"x".repeat(60_000)}\n`));
    await expectRefusal(async () => response(), "git-too-large");
    expect(pulled()).toBeLessThan(200);
  });
});

describe("sizes", () => {
  test("a pack above the limit is refused by what the server says of it, before any of it is read", async () => {
    const { response, pulled } = endless(new Uint8Array(1000));
    const answer = (): Response => {
      const { body } = response();
      return new Response(body, { headers: { "content-length": String(20 * MEBIBYTE) } });
    };
    await expectRefusal(fakeServer({ refs, answer }), "git-too-large", { maxPackBytes: 16 * MEBIBYTE });
    expect(pulled()).toBeLessThan(3);
  });

  test("what counts is the size after the transport's compression", async () => {
    const bomb = gzipSync(sideBand(new Uint8Array(8 * MEBIBYTE)));
    expect(bomb.length).toBeLessThan(100_000);
    const unpacked = (): Response =>
      new Response(new Blob([bomb]).stream().pipeThrough(new DecompressionStream("gzip")));
    await expectRefusal(fakeServer({ refs, answer: unpacked }), "git-too-large");
  });

  test("the advice names what to do instead", async () => {
    await withStorage(async (storage) => {
      const fetch = fakeServer({
        refs,
        pack: fakePack([...whole, fakeObject(3, crypto.getRandomValues(new Uint8Array(60_000)))]),
      });
      const cloned = openWorkspace(storage).call((git) => git.clone({ url: URL }), {
        fetch,
        limits: { maxPackBytes: 50_000 },
      });
      await expect(cloned).rejects.toThrow(/depth 1.*single branch.*container/);
    });
  });

  test("within the limit it is taken", async () => {
    await withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const noise = crypto.getRandomValues(new Uint8Array(60_000));
      const objects = Array.from({ length: 50 }, (_, index) => fakeObject(3, Uint8Array.from([index, ...noise])));
      const large = fakeTree(
        objects.map((object, index) => ["100644", `f${String(index).padStart(2, "0")}`, object] as const),
      );
      const top = fakeCommit(large);
      const fetch = fakeServer({
        refs: { "refs/heads/main": top.oid, HEAD: top.oid },
        pack: fakePack([top, large, ...objects]),
      });
      await workspace.call((git) => git.clone({ url: URL }), { fetch });
      const [{ parts } = { parts: 0 }] = storage.sql
        .exec<{ parts: number }>("SELECT COUNT(*) AS parts FROM tenrec_git_parts")
        .toArray();
      expect(parts).toBe(3);
      expect((await workspace.call((git) => git.status())).entries).toEqual([]);
      expect(await workspace.call((git) => git.readFile("HEAD", "/f49"))).toEqual(Uint8Array.from([49, ...noise]));
    });
  });
});
