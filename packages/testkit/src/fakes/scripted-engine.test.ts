import type { CodingEngine, DeltaEvent, DurableEventBody } from "@tenrec/protocol";
import type { CodingEngineSubject } from "@tenrec/protocol/testing";
import { codingEngineCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import type { EngineEvent, EnginePart, EngineScript } from "./engine-script.ts";
import { fixedGate } from "./fixed-gate.ts";
import { memoryFileSystem } from "./memory-file-system.ts";
import { scriptedEngine } from "./scripted-engine.ts";
import { all, canFail, keepsContract } from "./with-cases.ts";

const call: EngineEvent = {
  type: "tool-call",
  step: 1,
  toolCallId: "1",
  toolName: "write",
  input: {},
  replay: "unsafe",
  permission: "edit",
};
const result: EngineEvent = {
  type: "tool-result",
  step: 1,
  toolCallId: "1",
  toolName: "write",
  status: "ok",
  output: { text: "written" },
  durationMs: 1,
  tree: "",
};
const answer: EngineEvent = {
  type: "step-end",
  step: 2,
  content: [{ type: "text", text: "Done." }],
  finishReason: "stop",
  durationMs: 1,
};

const WRITES: readonly EnginePart[] = [
  { event: call },
  { write: "/made.txt", content: "made" },
  { event: result },
  { event: { type: "text-delta", step: 2, id: "1", text: "Done." } },
  { event: answer },
];
const HANGS: EnginePart = { delay: 10_000 };

function subjectOf(script: Omit<EngineScript, "turns">, ...writes: EnginePart[]): CodingEngineSubject {
  const hangs = { when: { prompt: { includes: "hang" } }, does: [HANGS] };
  const engine = scriptedEngine({ ...script, turns: [hangs, { does: writes }] });
  return { engine, fs: memoryFileSystem(), prompts: { writes: "write", hangs: "hang" } };
}

const subject = (): CodingEngineSubject => subjectOf({ name: "fake", resumable: true }, ...WRITES);

keepsContract("scriptedEngine", codingEngineCases, subject);

const saying = (...parts: EnginePart[]): (() => CodingEngineSubject) => {
  return () => subjectOf({ name: "fake" }, ...parts);
};
const withEngine = (change: (inner: CodingEngine) => Partial<CodingEngine>): (() => CodingEngineSubject) => {
  return () => {
    const whole = subject();
    return { ...whole, engine: { ...whole.engine, ...change(whole.engine) } };
  };
};

canFail(codingEngineCases, {
  "it has a name": withEngine(() => ({ name: "" })),
  "what it writes is in the tree": saying({ write: "/made.txt", content: "something else" }),
  "it leaves the start and the end of the turn to the host": saying({
    event: { type: "turn-end", reason: "done", text: "", tree: "" },
  }),
  "its events are plain data without a stamp, and belong to the turn": withEngine((inner) => ({
    run: (turn, host) => inner.run({ ...turn, turn: turn.turn + 1 }, host),
  })),
  "every tool result answers one call before it": saying({ event: call }, { event: result }, { event: result }),
  "the last text is the answer": saying(...WRITES.slice(0, -1)),
  "a stop ends it": withEngine((inner) => ({
    run: async function* (turn, host): AsyncGenerator<DurableEventBody | DeltaEvent> {
      try {
        yield* inner.run(turn, host);
      } catch {
        throw new Error("another reason");
      }
    },
  })),
  "a stop before the start does nothing": withEngine((inner) => ({
    run: (turn, host) => inner.run(turn, { ...host, signal: new AbortController().signal }),
  })),
  "resume, where it is offered, knows no session that never ran": withEngine(() => ({ resume: async () => "1" })),
});

describe("scriptedEngine", () => {
  const run = (engine: CodingEngine, prompt: string, gate = fixedGate()): Promise<unknown> => {
    const signal = new AbortController().signal;
    const host = { fs: memoryFileSystem({ "/a": "" }), gate, signal, commit: async () => String(++commits) };
    const turn = { session: "s1", turn: 1, input: [{ type: "text" as const, text: prompt }], model: "m" };
    return all(engine.run(turn, host)).then(() => host.fs.glob("**"));
  };
  let commits = 0;

  test("commits, removes, and can be resumed", async () => {
    const engine = scriptedEngine({
      name: "x",
      resumable: true,
      turns: [{ does: [{ remove: "/a" }, { commit: true }] }],
    });
    expect(await run(engine, "go")).toEqual([]);
    expect(commits).toBe(1);
    expect(await engine.resume?.("s1")).toBe("s1-1");
    expect(engine.turns.map((turn) => turn.turn)).toEqual([1]);
  });

  test("asks the gate, and fails where its script says so", async () => {
    const asks: EnginePart = { require: { permission: "network", detail: "npm install" } };
    const engine = scriptedEngine({ name: "x", turns: [{ does: [asks, { fail: "broke" }] }] });
    await expect(run(engine, "go", fixedGate({ network: "deny" }))).rejects.toThrow("Not permitted");
    await expect(run(engine, "go")).rejects.toThrow("broke");
  });

  test("has no resume unless its script says so, and no turn for an unknown prompt", async () => {
    const engine = scriptedEngine({ name: "x", turns: [{ when: { prompt: { includes: "fix" } }, does: [] }] });
    expect(engine).not.toHaveProperty("resume");
    await expect(run(engine, "add")).rejects.toThrow('no turn for the prompt "add"');
  });
});
