import { expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import type { Overlay } from "./overlay.ts";

async function* stream(piece: unknown): AsyncGenerator<Uint8Array> {
  yield piece as Uint8Array;
}

/** What a caller in JavaScript may do. */
const WRONG: readonly [string, (overlay: Overlay) => Promise<unknown>][] = [
  ["no text", (overlay) => overlay.writeFile("/a", undefined as never)],
  ["bytes for text", (overlay) => overlay.writeFile("/a", new Uint8Array(2) as never)],
  ["text for bytes", (overlay) => overlay.writeFileBytes("/a", "text" as never)],
  ["a number for bytes", (overlay) => overlay.writeFileBytes("/a", 5 as never)],
  ["a buffer for bytes", (overlay) => overlay.writeFileBytes("/a", new ArrayBuffer(2) as never)],
  ["wider numbers", (overlay) => overlay.writeFileBytes("/a", new Uint16Array([300]) as never)],
  ["a buffer to append", (overlay) => overlay.appendFile("/a", new ArrayBuffer(2) as never)],
  ["nothing to append", (overlay) => overlay.appendFile("/a", undefined as never)],
  ["a stream of text", (overlay) => overlay.writeFileStream("/a", stream("text"))],
  ["no path", (overlay) => overlay.writeFile(undefined as never, "text")],
  ["a number for a path", (overlay) => overlay.readFile(5 as never)],
  ["no target", (overlay) => overlay.symlink(undefined as never, "/b")],
];

test.each(WRONG)("%s is refused, and nothing has changed", (_, write) =>
  withStorage(async (storage) => {
    const store = new TreeStore(storage);
    const overlay = store.overlay(store.emptyTree);
    await overlay.writeFile("/a", "before");
    await expect(write(overlay)).rejects.toMatchObject({ code: "EINVAL" });
    expect(await overlay.readFile("/a")).toBe("before");
    expect(overlay.changes().map(({ path }) => path)).toEqual(["/a"]);
  }),
);
