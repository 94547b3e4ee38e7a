import { expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { exportEntries } from "./export-entries.ts";
import { piecesOf } from "./file-content.ts";
import { packTarGz, unpackTarGz } from "./tar-gz.ts";
import { packTar, unpackTar } from "./tar.ts";

const SIZE = 100 * 1024 * 1024 - 3;
const PIECE = 256 * 1024;
/** Room for the queues of all streams on the way; far from the size of the file. */
const MAX_HELD = 24 * 1024 * 1024;

test.each([
  ["tar", packTar, unpackTar],
  ["tar.gz", packTarGz, unpackTarGz],
] as const)(
  "a file of 100 MB passes through %s without being held",
  async (_, pack, unpack) => {
    let produced = 0;
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < SIZE; at += PIECE) {
        const piece = new Uint8Array(Math.min(PIECE, SIZE - at));
        // Half of it cannot be compressed.
        crypto.getRandomValues(piece.subarray(0, 65_536));
        produced += piece.length;
        yield piece;
      }
    }
    const large: ArchiveEntry = { path: "/large", kind: "file", mode: 0o644, size: SIZE, content: content() };
    let consumed = 0;
    let held = 0;
    for await (const entry of unpack(pack([large]))) {
      if (entry.kind !== "file") throw new Error("a file is expected");
      for await (const piece of piecesOf(entry)) {
        consumed += piece.length;
        held = Math.max(held, produced - consumed);
      }
    }
    expect(consumed).toBe(SIZE);
    expect(held).toBeLessThan(MAX_HELD);
  },
  60_000,
);

test("a stored file is exported in pieces, and the bytes are right", () =>
  withStorage(async (storage) => {
    const store = new TreeStore(storage);
    store.setHead("main", store.emptyTree);
    const overlay = store.overlay(store.emptyTree);
    const bytes = new Uint8Array(5 * 1024 * 1024 + 7).map((__, index) => index % 251);
    await overlay.writeFileBytes("/large", bytes);
    const { tree } = store.commit("main", await store.stage(overlay));
    for (const source of [overlay, store.overlay(tree)]) {
      for await (const entry of exportEntries(source)) {
        if (entry.kind !== "file") throw new Error("a file is expected");
        expect(entry.content).not.toBeInstanceOf(Uint8Array);
        let at = 0;
        for await (const piece of piecesOf(entry)) {
          expect(piece.length).toBeLessThanOrEqual(1024 * 1024);
          expect(piece.every((byte, index) => byte === (at + index) % 251)).toBe(true);
          at += piece.length;
        }
        expect(at).toBe(bytes.length);
      }
    }
  }));
