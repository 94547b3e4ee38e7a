import { constants } from "node:os";

/** What has to be undone however the benchmark ends: processes, folders. */
export interface CleanUp {
  /** `undo` must be synchronous. Returns what undoes it now. */
  add(undo: () => void): () => void;
  /** Undoes everything, the last first. */
  run(): void;
}

export function createCleanUp(): CleanUp {
  const undos = new Set<() => void>();
  const run = (): void => {
    for (const undo of [...undos].toReversed()) {
      undos.delete(undo);
      undo();
    }
  };
  return {
    add(undo) {
      undos.add(undo);
      return () => {
        if (undos.delete(undo)) undo();
      };
    },
    run,
  };
}

/** Cleans up before a signal or a closed output ends this process. */
export function cleanUpOnSignals(cleanUp: CleanUp): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      cleanUp.run();
      process.exit(128 + constants.signals[signal]);
    });
  }
  // Such as with `| head -3`.
  process.stdout.on("error", () => {
    cleanUp.run();
    process.exit(1);
  });
}
