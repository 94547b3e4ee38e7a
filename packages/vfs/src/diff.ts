import { setImmediate } from "node:timers";
import type { FileDiff } from "@tenrec/protocol";
import { type ContentHost, readContent } from "./content.ts";
import { type Difference, differences } from "./changes.ts";
import type { Entry } from "./entry.ts";
import type { NodeStore } from "./node-store.ts";
import { treeChange } from "./tree-change.ts";
import { unifiedPatch } from "./unified-patch.ts";

/** A larger file is not read: its patch says so instead. */
const MAX_DIFF_BYTES = 1024 * 1024;
const BINARY_BYTES = 8192;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** One diff for each file or link that differs, sorted by path. Reads one pair of files at a time. */
export async function diffTrees(host: ContentHost, nodes: NodeStore, a: string, b: string): Promise<FileDiff[]> {
  const diffs: FileDiff[] = [];
  for (const difference of differences(nodes, a, b)) {
    const change = treeChange(difference.path, difference.before, difference.after)?.change;
    if (change === undefined) continue;
    diffs.push({ path: difference.path, change, ...(await compare(host, difference)) });
    await new Promise<void>((done) => setImmediate(done));
  }
  return diffs;
}

type Comparison = Pick<FileDiff, "binary" | "patch" | "added" | "removed">;

async function compare(host: ContentHost, { path, before, after }: Difference): Promise<Comparison> {
  if (sizeOf(before) > MAX_DIFF_BYTES || sizeOf(after) > MAX_DIFF_BYTES) {
    const patch = `Too large to compare: ${sizeOf(before)} bytes before, ${sizeOf(after)} after\n`;
    return { binary: false, patch, added: 0, removed: 0 };
  }
  const [left, right] = await Promise.all([before, after].map((entry) => contentOf(host, path, entry)));
  if (isBinary(left) || isBinary(right)) return { binary: true, patch: "", added: 0, removed: 0 };
  const [old, now] = [left, right].map((bytes) => (bytes ? decoder.decode(bytes) : undefined));
  const text = unifiedPatch(path, old, now);
  const mode = modeLines(before, after);
  return { binary: false, ...text, patch: mode + text.patch };
}

function modeLines(before: Entry | undefined, after: Entry | undefined): string {
  const [old, now] = [before, after].map(gitMode);
  return old === undefined || now === undefined || old === now ? "" : `old mode ${old}\nnew mode ${now}\n`;
}

function gitMode(entry: Entry | undefined): string | undefined {
  if (entry?.kind === "symlink") return "120000";
  return entry?.kind === "file" ? (0o100000 | entry.mode).toString(8) : undefined;
}

async function contentOf(host: ContentHost, path: string, entry: Entry | undefined): Promise<Uint8Array | undefined> {
  if (entry?.kind === "symlink") return encoder.encode(entry.target);
  return entry?.kind === "file" ? readContent(host, entry, path) : undefined;
}

function sizeOf(entry: Entry | undefined): number {
  return entry?.kind === "file" ? entry.size : 0;
}

function isBinary(bytes: Uint8Array | undefined): boolean {
  return bytes?.subarray(0, BINARY_BYTES).includes(0) ?? false;
}
