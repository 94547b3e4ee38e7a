import type { AssetsConfig } from "../config/project-config.ts";

/** Who answers a request, whatever files there are; undefined where that is for the files to say. */
export function firstToAnswer({ runWorkerFirst }: AssetsConfig, request: Request): "worker" | "assets" | undefined {
  if (typeof runWorkerFirst === "boolean") return runWorkerFirst ? "worker" : undefined;
  const { pathname } = new URL(request.url);
  const matches = (pattern: string): boolean => fits(pathname, pattern);
  const excluded = runWorkerFirst.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  if (excluded.some(matches)) return "assets";
  return runWorkerFirst.some((pattern) => !pattern.startsWith("!") && matches(pattern)) ? "worker" : undefined;
}

/** Whether a path is as a pattern says, in which `*` stands for any text. In time linear to both. */
function fits(path: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return path === first;
  const last = rest.pop() ?? "";
  if (path.length < first.length + last.length || !path.startsWith(first) || !path.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found === -1 || found + part.length > path.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
