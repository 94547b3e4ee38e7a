import type { Script } from "../parse-line.ts";

/** The names of all functions that a script defines, wherever in it. */
export function functionNames(text: string, script: Script): ReadonlySet<string> {
  const names = new Set<string>();
  // Nearly no line has one.
  if (/\(\s*\)|\bfunction\b/.test(text)) visit(script, names);
  return names;
}

function visit(node: unknown, names: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node && node.type === "FunctionDef" && "name" in node) names.add(String(node.name));
  for (const value of Object.values(node)) visit(value, names);
}
