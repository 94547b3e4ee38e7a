import type { Measuring } from "../frame/measure-case.ts";
import type { WorkerSubject } from "../frame/worker-subject.ts";

/** What a case works with. */
export interface ToolsContext extends Measuring {
  /** Tenrec first. */
  readonly subjects: readonly WorkerSubject[];
}

/** A case by the name that `--only` takes. */
export interface Case {
  readonly name: string;
  run(context: ToolsContext): Promise<void>;
}

/** The object that holds the tree, in every subject. */
export const OBJECT = "tree";
