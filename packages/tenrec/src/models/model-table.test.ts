import { expect, test } from "vitest";
import { PROVIDERS } from "../run/providers.ts";
import { plain } from "../terminal/paint.ts";
import { modelTable } from "./model-table.ts";

test("says which can be used, what they cost, and what the others need", () => {
  const [anthropic, openai, compatible] = PROVIDERS;
  if (!anthropic || !openai || !compatible) throw new Error("there are providers");
  const rows = [
    { provider: anthropic, isConfigured: true, models: ["anthropic/a"] },
    { provider: openai, isConfigured: false, models: [] },
    { provider: compatible, isConfigured: true, models: [], problem: "It cannot be reached." },
  ];
  const text = modelTable(rows, { "anthropic/a": { input: 3, cachedInput: 0.3, output: 15 } }, "2026-11-29", plain);
  expect(text).toMatch(/^✓ anthropic {2}ANTHROPIC_API_KEY is set\n {4}anthropic\/a {2}\$3 \(\$0\.3\), \$15\n/);
  expect(text).toContain("– openai  needs OPENAI_API_KEY: a key from https://");
  expect(text).toContain("    It cannot be reached.\n");
  expect(text).toContain("of 2026-11-29");
});
