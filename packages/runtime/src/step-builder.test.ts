import { expect, test } from "vitest";
import { StepBuilder, type StepRequest } from "./step-builder.ts";

const request: StepRequest = {
  modelName: "m",
  price: undefined,
  instructions: "Be brief.",
  messages: [],
  tools: {},
  takenIds: new Set(),
  turn: 1,
  step: 1,
  rebilled: false,
  onDelta: () => {},
};

test("an image counts as one in the estimate, not as the text of its megabytes", () => {
  const data = `data:image/png;base64,${"A".repeat(3_000_000)}`;
  const file = { type: "file" as const, data, mediaType: "image/png" };
  const content = [{ type: "text" as const, text: "What is this?" }, file];
  const usage = new StepBuilder({ ...request, messages: [{ role: "user", content }] }).usage();
  expect(usage.estimated).toBe(true);
  expect(usage.inputTokens).toBeGreaterThan(1500);
  expect(usage.inputTokens).toBeLessThan(1700);
});
