import type { Report } from "../frame/report.ts";
import type { Ripgrep } from "./subjects/ripgrep.ts";
import type { WorkerSubject } from "../frame/worker-subject.ts";
import type { Trees } from "./trees.ts";

/** What a case works with. */
export interface VfsContext {
  readonly report: Report;
  readonly trees: Trees;
  readonly tenrec: WorkerSubject;
  /** Tenrec and the peers that run in a Worker, in the order in which they are measured. */
  readonly workers: readonly WorkerSubject[];
  readonly ripgrep: Ripgrep;
  /** A folder for what a later run can use again. */
  readonly cache: string;
  /** From the command line. */
  readonly runs: number | undefined;
  readonly quick: boolean;
}

/** A case by the name that `--only` takes. */
export interface Case {
  readonly name: string;
  run(context: VfsContext): Promise<void>;
}
