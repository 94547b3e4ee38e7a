import type { Json, PreviewReport } from "@tenrec/protocol";

/** Reports in short lines; those that say the same are one, with how often. */
export function reportLines(reports: readonly PreviewReport[]): string[] {
  const counts = new Map<string, number>();
  for (const report of reports) {
    const line = lineOf(report);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => (count > 1 ? `- ${line} (${count} times)` : `- ${line}`));
}

function lineOf({ kind, detail }: PreviewReport): string {
  const fields = fieldsOf(detail);
  const text = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  switch (kind) {
    case "build-error": {
      const { problems } = fields;
      return `build error: ${Array.isArray(problems) ? problems.join("\n    ") : JSON.stringify(detail)}`;
    }
    case "exception":
      return `exception: ${text("name")}: ${text("message")}\n${text("stack")}`.trimEnd();
    case "console":
      return `console.${text("level")}: ${text("message")}`;
    case "request":
      return requestLine(fields, text);
    case "browser-error":
      return pageLine(fields, text);
  }
}

const PAGE_WORDS: Readonly<Record<string, string>> = {
  error: "an uncaught error",
  rejection: "an unhandled rejection",
  console: "console.error",
  resource: "a file that did not load",
};

/** In quotes and in one line, so that it can be taken for nothing else: a page says what it likes. */
function pageLine(fields: Readonly<Record<string, Json>>, text: (name: string) => string): string {
  const quoted = (name: string, most: number): string => JSON.stringify(text(name).trim().slice(0, most));
  const { at } = fields;
  const { path, line, column } = fieldsOf(at ?? null);
  const shown = (value: Json | undefined): string => (typeof value === "number" ? value.toString() : "?");
  const place = typeof path === "string" ? ` at ${path.slice(1)}:${shown(line)}:${shown(column)}` : "";
  const what = PAGE_WORDS[text("what")] ?? "an error";
  return [
    `the page ${quoted("page", 200)} says, unchecked: ${what}${place}: ${quoted("message", 1000)}`,
    ...(text("stack").trim() === "" ? [] : [`    stack: ${quoted("stack", 1000)}`]),
  ].join("\n");
}

/** The time is left out of a failure, so that the same failures are one line. */
function requestLine(fields: Readonly<Record<string, Json>>, text: (name: string) => string): string {
  const { status } = fields;
  const number = (name: string): string => (typeof fields[name] === "number" ? fields[name].toString() : "?");
  const what = `${text("method")} ${text("path")}: ${number("status")}`;
  return typeof status === "number" && status >= 500
    ? `request failed: ${what}`
    : `slow request: ${what} after ${number("ms")} ms`;
}

function fieldsOf(detail: Json): Readonly<Record<string, Json>> {
  return typeof detail === "object" && detail !== null && !Array.isArray(detail)
    ? (detail as Record<string, Json>)
    : {};
}
