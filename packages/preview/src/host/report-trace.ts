import type { Json } from "@tenrec/protocol";
import { type Exception, mapException } from "../report/map-stack.ts";
import type { PreviewReport } from "@tenrec/protocol";
import type { TraceRecord } from "../report/trace-record.ts";
import type { LiveApp } from "./app-loader.ts";
import type { WorkerApp } from "./built-app.ts";

/** Reports what an app logged, and what it threw outside of a request that was answered. */
export function reportTrace(
  records: readonly TraceRecord[],
  { request: { session, tree }, app }: LiveApp,
  onReport: (report: PreviewReport) => void,
): void {
  for (const { logs, exceptions } of records) {
    for (const { level, message } of logs) onReport({ session, tree, kind: "console", detail: { level, message } });
    for (const exception of exceptions) {
      onReport({
        session,
        tree,
        kind: "exception",
        detail: exceptionDetail(mapException(exception, isSource(app), app.locate)),
      });
    }
  }
}

/** Whether a path is of a file that somebody wrote for this app. */
export function isSource({ modules }: WorkerApp): (path: string) => boolean {
  return (path) => modules.has(path.slice(1)) && !path.startsWith("/node_modules/");
}

export function exceptionDetail({ name, message, stack, at }: Exception): Json {
  return { name, message, stack, ...(at ? { at: { path: at.path, line: at.line, column: at.column } } : {}) };
}
