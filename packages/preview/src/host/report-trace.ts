import type { Json } from "@tenrec/protocol";
import { type Exception, mapException, mapLogged, type StackPlaces } from "../report/map-stack.ts";
import type { PreviewReport } from "@tenrec/protocol";
import type { TraceRecord } from "../report/trace-record.ts";
import type { LiveApp } from "./app-loader.ts";
import type { StoppedApps } from "./stopped-apps.ts";
import type { WorkerApp } from "./built-app.ts";

export interface TraceListener {
  readonly report: (report: PreviewReport) => void;
  readonly stopped: StoppedApps;
}

/** Reports what an app logged, and what it threw outside of a request that was answered. */
export function reportTrace(records: readonly TraceRecord[], live: LiveApp, { report, stopped }: TraceListener): void {
  const { app } = live;
  const { session, tree } = live.request;
  for (const { logs, exceptions } of records) {
    for (const { level, message } of logs) {
      const detail = { level, message: mapLogged(message, placesOf(app)) };
      report({ session, tree, kind: "console", detail });
    }
    for (const exception of exceptions) {
      stopped.onError(live, exception);
      if (!stopped.isNews(live, exception)) continue;
      const detail = exceptionDetail(mapException(exception, placesOf(app)));
      report({ session, tree, kind: "exception", detail });
    }
  }
}

/** What finds the places of stack traces of an app. */
export function placesOf({ modules, inserted, locate }: WorkerApp): StackPlaces {
  const isSource = (path: string): boolean => modules.has(path.slice(1)) && !path.startsWith("/node_modules/");
  return { isSource, inserted, ...(locate ? { locate } : {}) };
}

export function exceptionDetail({ name, message, stack, at }: Exception): Json {
  return { name, message, stack, ...(at ? { at: { path: at.path, line: at.line, column: at.column } } : {}) };
}
