import type { Paint } from "../terminal/paint.ts";

/** What a check found, or what is missing and how to get it. */
export type Check = { readonly name: string } & ({ readonly found: string } | { readonly problem: string });

export function checkText(check: Check, paint: Paint): string {
  const name = paint("bold", check.name);
  if ("found" in check) return `${paint("green", "✓")} ${name}  ${check.found}\n`;
  return `${paint("red", "✗")} ${name}  ${check.problem.replaceAll("\n", "\n    ")}\n`;
}
