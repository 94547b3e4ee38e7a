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

type TreeEvent = Extract<DurableEvent, { type: "turn-start" | "tool-result" | "turn-end" | "undo" }>;

/**
 * The changes of files that a session's events tell of, in order, those of others that came between left out. Other
 * engines do not report every change, so all that differs between two trees of their turn counts as theirs.
 */
export function ownChanges(trees: Pick<TreeStore, "changes">, events: readonly DurableEvent[]): OwnChange[] {
  const found: OwnChange[] = [];
  let reported: Extract<DurableEvent, { type: "file-change" }>[] = [];
  let engine = "";
  let from = "";
  for (const event of events) {
    if (event.type === "file-change") reported.push(event);
    if (!setsTree(event)) continue;
    if (event.type === "turn-start") engine = event.engine;
    if (event.type === "undo") from = event.fromTree;
    const isReported = (change: { readonly toolCallId: string }): boolean =>
      event.type === "tool-result" && change.toolCallId === event.toolCallId;
    const isWhole = event.type === "undo" || (event.type !== "turn-start" && engine !== NATIVE_ENGINE);
    const changes = isWhole ? differences(trees, from, event.tree) : reported.filter(isReported);
    reported = reported.filter((change) => !isReported(change));
    if (!changes) continue;
    const { seq, tree: to } = event;
    found.push(...changes.map(({ path, before, after }) => ({ path, before, after, from, to, seq })));
    from = to;
  }
  return found;
}

/** True for an event that names the session's tree of its moment. */
export function setsTree(event: DurableEvent): event is TreeEvent {
  const { type } = event;
  return type === "turn-start" || type === "tool-result" || type === "turn-end" || type === "undo";
}

/** Undefined for a tree that an engine made up. */
function differences(trees: Pick<TreeStore, "changes">, from: string, to: string): TreeChange[] | undefined {
  try {
    return trees.changes(from, to);
  } catch (error) {
    if (hasCode(error, "tree-not-found")) return undefined;
    throw error;
  }
}
