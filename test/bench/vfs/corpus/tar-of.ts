import { buffer } from "node:stream/consumers";
import { packTar } from "@tenrec/vfs/folder";
import type { TreeFile } from "./source-files.ts";

/** A tar file of a tree. */
export function tarOf(files: readonly TreeFile[]): Promise<Buffer> {
  const entries = files.map(
    ({ path, bytes }) => ({ kind: "file", path: `/${path}`, mode: 0o644, size: bytes.length, content: bytes }) as const,
  );
  return buffer(packTar(entries));
}
