import type { Clock } from "@tenrec/protocol";
import type { StorageLike, TreeStore } from "@tenrec/vfs";
import type { AgentConfig } from "./agent-config.ts";
import type { Deltas } from "./deltas.ts";
import type { Journal } from "./journal.ts";
import type { Previews } from "./preview/previews.ts";
import type { Redactor } from "./redaction/redactor.ts";

/** Name of the head that all sessions of a workspace share, unless they have a tree of their own. */
export const MAIN_HEAD = "main";

/** Name of the head of a session with a tree of its own. Not the id alone: a caller may choose that to be `main`. */
export function ownHead(session: string): string {
  return `session/${session}`;
}

/** What everything in one object works on. */
export interface Workspace {
  readonly storage: StorageLike;
  readonly journal: Journal;
  readonly trees: TreeStore;
  readonly deltas: Deltas;
  readonly clock: Clock;
  readonly config: AgentConfig;
  /** Takes secrets out of what is stored or shown. */
  readonly redactor: Redactor;
  /** The apps in the trees, live; absent in a workspace that is not in an agent. */
  readonly previews?: Previews;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Root hash of a session's tree as it is now. */
export function treeOf({ trees, journal }: Pick<Workspace, "trees" | "journal">, session: string): string {
  return trees.head(journal.session(session).head);
}
