import type { DurableEvent, FileDiff } from "@tenrec/protocol";
import { isDurable } from "@tenrec/protocol";
import type { Reporter, RunResult, StartInfo } from "./reporter.ts";

/** A line of `--json`: an event of the protocol, or one of the command's own, which have no `seq`. The README lists them. */
export type JsonLine =
  | DurableEvent
  | ({ readonly type: "start" } & Omit<StartInfo, "because">)
  | { readonly type: "diff"; readonly files: readonly FileDiff[] }
  | ({ readonly type: "result" } & RunResult);

/** Prints one JSON object a line on standard output; warnings go elsewhere. */
export function jsonReporter(write: (line: string) => void, warn: (text: string) => void): Reporter {
  const print = (line: JsonLine): void => write(`${JSON.stringify(line)}\n`);
  return {
    status() {},
    warn,
    start({ session, dir, model, permission, isNew, files, bytes }) {
      print({ type: "start", session, dir, model, permission, isNew, files, bytes });
    },
    event: (event) => {
      if (isDurable(event)) print(event);
    },
    diff: (files) => print({ type: "diff", files }),
    result: (result) => print({ type: "result", ...result }),
    [Symbol.dispose]() {},
  };
}
