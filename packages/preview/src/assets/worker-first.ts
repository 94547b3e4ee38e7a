import type { AssetsConfig } from "../config/project-config.ts";

/** Whether the Worker answers a request before the assets are looked at. */
export function runsFirst({ runWorkerFirst }: AssetsConfig, request: Request): boolean {
  if (typeof runWorkerFirst === "boolean") return runWorkerFirst;
  const { pathname } = new URL(request.url);
  const matches = (pattern: string): boolean => wildcard(pattern).test(pathname);
  const excluded = runWorkerFirst.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return !excluded.some(matches) && runWorkerFirst.some((pattern) => !pattern.startsWith("!") && matches(pattern));
}

/** A pattern in which `*` stands for any text, as an expression without nested repetition. */
function wildcard(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
