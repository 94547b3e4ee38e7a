import type { Thrown } from "../inside/thrown.ts";

/** What one call of an app logged and threw, as the platform tells it, in a form that crosses RPC. */
export interface TraceRecord {
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  readonly exceptions: readonly Thrown[];
}

/** Longer lines are cut: a log is for reading. */
const MOST_MESSAGE = 4000;
const MOST_LOGS = 200;

/** The parts of trace events that a preview reports; nothing of those that have none. */
export function traceRecords(events: readonly TraceItem[]): TraceRecord[] {
  const telling = events.filter(({ logs, exceptions }) => logs.length > 0 || exceptions.length > 0);
  return telling.map(({ logs, exceptions }) => ({
    logs: logs.slice(0, MOST_LOGS).map(({ level, message }) => ({ level, message: textOf(message) })),
    exceptions: exceptions.map(({ name, message, stack }) => ({ name, message, stack: stack ?? "" })),
  }));
}

function textOf(message: unknown): string {
  const parts: unknown[] = Array.isArray(message) ? message : [message];
  const text = parts
    .map((part) => (typeof part === "string" ? part : (JSON.stringify(part) ?? String(part))))
    .join(" ");
  return text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE)}…` : text;
}
