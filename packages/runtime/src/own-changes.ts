import type { DurableEvent } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { TreeChange, TreeStore } from "@tenrec/vfs";
import { NATIVE_ENGINE } from "./native-engine.ts";

/** A change of one path that a session itself made, by a turn or an undo. */
export interface OwnChange {
  readonly path: string;
  /** SHA-256 of the content before and after it; undefined where there is nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Trees in which the path is as before, and as after. */
  readonly from: string;
  readonly to: string;
  /** Of the event that names `to`. */
  readonly seq: number;
}

/**
 * The changes of files that a session's events tell of, in order, those of others that came between left out. Other
 * engines do not report every change, so all that differs between two trees of their turn counts as theirs.
 */
export function ownChanges(trees: Pick<TreeStore, "changes">, events: readonly DurableEvent[]): OwnChange[] {
  const found: OwnChange[] = [];
  let reported: Extract<DurableEvent, { type: "file-change" }>[] = [];
  let engine = "";
  let tree = "";
  const add = ({ path, before, after }: Pick<TreeChange, "path" | "before" | "after">, to: string, seq: number): void =>
    void found.push({ path, before, after, from: tree, to, seq });
  for (const event of events) {
    if (event.type === "turn-start") engine = event.engine;
    if (event.type === "file-change") reported.push(event);
    if (!("tree" in event)) continue;
    if (event.type === "undo") {
      tree = event.fromTree;
      for (const change of trees.changes(tree, event.tree)) add(change, event.tree, event.seq);
    } else if (event.type === "tool-result" && engine === NATIVE_ENGINE) {
      const { toolCallId } = event;
      for (const change of reported) if (change.toolCallId === toolCallId) add(change, event.tree, event.seq);
      reported = reported.filter((change) => change.toolCallId !== toolCallId);
    } else if ((event.type === "tool-result" || event.type === "turn-end") && engine !== NATIVE_ENGINE) {
      const changes = changesOf(trees, tree, event.tree);
      if (!changes) continue;
      for (const change of changes) add(change, event.tree, event.seq);
    }
    tree = event.tree;
  }
  return found;
}

/** Undefined for a tree that an engine made up. */
function changesOf(trees: Pick<TreeStore, "changes">, from: string, to: string): TreeChange[] | undefined {
  try {
    return trees.changes(from, to);
  } catch (error) {
    if (hasCode(error, "tree-not-found")) return undefined;
    throw error;
  }
}
