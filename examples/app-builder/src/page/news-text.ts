import type { Json } from "@tenrec/protocol";

const WORDS: Readonly<Record<string, string>> = { "browser-error": "In the page", console: "Note" };

/** What a preview said, in a line or, of a build that failed, one for each problem. */
export function newsText(kind: string, detail: Json | undefined): string {
  const { problems, name, message, at, method, path, status } = (detail ?? {}) as Readonly<Record<string, Json>>;
  if (Array.isArray(problems)) return problems.join("\n");
  const place = at as { path: string; line: number } | undefined;
  const request = [method, path, status].filter((part) => typeof part === "string" || typeof part === "number");
  if (typeof message !== "string") return request.join(" ");
  const what = typeof name === "string" ? name : (WORDS[kind] ?? kind);
  return `${what}: ${message}${place ? ` (${place.path.slice(1)}:${place.line})` : ""}`;
}
