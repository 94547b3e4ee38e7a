import type { DurableEventBody } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { Journal } from "./journal.ts";
import { withAgent } from "./with-agent.ts";
import { input, turnStart } from "./with-events.ts";

/** A turn of three calls whose results have some size. */
function longTurn(turn: number): DurableEventBody[] {
  const operationId = `o${turn}`;
  const steps = [1, 2, 3].flatMap((step): DurableEventBody[] => {
    const toolCallId = `c${turn}-${step}`;
    const call = { turn, step, toolCallId, toolName: "read" };
    const output = { text: "x".repeat(2000) };
    return [
      { type: "step-start", turn, step, attempt: 1 },
      { type: "tool-call", ...call, input: { path: "a" }, replay: "pure", permission: "read" },
      { type: "step-end", turn, step, content: [{ type: "tool-call", toolCallId }], finishReason: "x", durationMs: 1 },
      { type: "tool-result", ...call, status: "ok", output, durationMs: 1, tree: "t" },
    ];
  });
  return [
    { type: "input", operationId, parts: [{ type: "text", text: "do it" }], whenBusy: "followUp" },
    { ...turnStart, turn, operationIds: [operationId] } as DurableEventBody,
    ...steps,
    { type: "turn-end", turn, reason: "done", text: "ok", tree: "t" },
  ];
}

describe("a journal", () => {
  test("keeps an event of many megabytes whole, whatever its characters", async () => {
    const agent = await withAgent({ says: [] });
    const text = "naïve 😀 日本 ".repeat(400_000);
    const body: DurableEventBody = { type: "error", error: { code: "internal", message: text, data: {} } };
    await agent.inside(({ workspace: { journal, storage } }) => {
      journal.append("s", [body]);
      const again = new Journal(storage, () => 0);
      expect(again.events("s")[0]).toMatchObject({ ...body, seq: 1 });
    });
  });

  test("numbers events without a gap, also when a transaction with some of them fails", async () => {
    const agent = await withAgent({ says: [] });
    await agent.inside(({ workspace: { journal, storage } }) => {
      journal.append("s", [input]);
      const failing = (): void =>
        storage.transactionSync(() => {
          journal.write("s", [turnStart]);
          throw new Error("no");
        });
      expect(failing).toThrow("no");
      expect(journal.state("s").lastSeq).toBe(1);
      journal.append("s", [turnStart]);
      expect(journal.events("s").map((e) => [e.seq, e.type])).toEqual([
        [1, "input"],
        [2, "turn-start"],
      ]);
    });
  });

  test("folds to the same state from its rows as it had in memory", async () => {
    const agent = await withAgent({ says: [[{ call: "ls", input: {} }], [{ text: "Done." }]] });
    await agent.submit("go");
    await agent.settle();
    await agent.inside(({ workspace: { journal, storage } }) => {
      expect(new Journal(storage, () => 0).state("s")).toEqual(journal.state("s"));
    });
  });

  test("of 10,000 events is folded within a second after a restart", async () => {
    const agent = await withAgent({ says: [] });
    const count = await agent.inside(async ({ workspace: { journal, storage } }) => {
      const bodies = Array.from({ length: 660 }, (_, i) => longTurn(i + 1)).flat();
      storage.transactionSync(() => journal.write("s", bodies));
      const started = performance.now();
      const state = new Journal(storage, () => 0).state("s");
      expect(performance.now() - started).toBeLessThan(1000);
      expect(state.open.size).toBe(0);
      return state.lastSeq;
    });
    expect(count).toBeGreaterThan(9_800);
  });

  test("gives pages of history", async () => {
    const agent = await withAgent({ says: [[{ text: "Done." }]] });
    await agent.submit("go");
    await agent.settle();
    const page = await agent.inside((a) => a.sessions.history("s", 2, 2));
    expect(page.map((e) => e.seq)).toEqual([3, 4]);
  });
});
