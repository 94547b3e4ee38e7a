import type { DurableEvent } from "@tenrec/protocol";
import { type EngineScript, type ScriptPart, scriptedEngine, scriptedModel } from "@tenrec/testkit";
import { createNodeStorage } from "@tenrec/vfs/testing";
import { tool } from "ai";
import { z } from "zod";
import type { AgentConfig } from "../agent-config.ts";
import { plainConfig } from "../with-plain-config.ts";
import { createInstance, type Instance, prepareStorage } from "../simulation/with-instance.ts";
import { withTraits } from "../tool-traits.ts";

/** A session played by the real loop, to be recorded. */
interface Recording {
  readonly name: string;
  /** What the model says, one list for each call; a delay is for ever. */
  readonly says?: readonly (readonly ScriptPart[])[];
  readonly config?: Partial<AgentConfig>;
  /** Default: one prompt, and the slices that it takes. */
  readonly play?: (stage: Stage) => Promise<string | void>;
}

interface Stage {
  instance(): Instance;
  /** Memory is gone; the next `instance` is a new one. */
  die(): void;
  submit(text: string, whenBusy?: "followUp" | "steer"): Promise<void>;
  /** Works until there is nothing to do. */
  work(): Promise<void>;
  /** Begins to work and returns when the model or a tool takes for ever. */
  workUntilHeld(): Promise<void>;
}

const write: ScriptPart = { call: "write", input: { path: "notes.txt", content: "one\ntwo\n" } };
const edit: ScriptPart = { call: "edit", input: { path: "notes.txt", edits: [{ oldText: "two", newText: "2" }] } };
const deploy: ScriptPart = { call: "deploy", input: { to: "staging" } };
const done: readonly ScriptPart[] = [{ text: "Done." }];
const held: readonly ScriptPart[] = [{ text: "Let me " }, { delay: 1_000_000 }, { text: "see." }];

const engine: EngineScript = {
  name: "robot",
  turns: [
    {
      does: [
        { write: "/robot.txt", content: "beep\n" },
        { commit: true },
        {
          event: {
            type: "step-end",
            step: 1,
            content: [{ type: "text", text: "Beep." }],
            finishReason: "stop",
            durationMs: 1,
          },
        },
      ],
    },
  ],
};

async function answerAll(stage: Stage, approved: boolean, reason?: string): Promise<void> {
  const { sessions } = stage.instance();
  for (const { approvalId } of sessions.pending("s")) {
    await sessions.answer("s", approvalId, { approved, ...(reason === undefined ? {} : { reason }) });
  }
  await stage.work();
}

/** What is recorded of each version of the journal. A name stays; a new kind of journal is a new name. */
export const RECORDINGS: readonly Recording[] = [
  {
    name: "tools",
    says: [
      [{ reasoning: "First a file." }, { text: "I will write it." }, write],
      [edit, { call: "read", input: { path: "notes.txt" } }, { call: "read", input: { path: "missing.txt" } }],
      [{ call: "no-such-tool", input: {} }],
      done,
    ],
  },
  {
    name: "approval",
    says: [[deploy], [{ call: "deploy", input: { to: "production" } }], done],
    play: async (stage) => {
      await stage.submit("Deploy it.");
      await stage.work();
      await answerAll(stage, true);
      await answerAll(stage, false, "not on Fridays");
    },
  },
  {
    name: "parked",
    says: [[write, deploy], done],
    play: async (stage) => {
      await stage.submit("Deploy it.");
      await stage.work();
      await stage.submit("And then tell me.");
    },
  },
  {
    name: "steering",
    says: [[{ call: "hold", input: {} }], [write], done],
    play: async (stage) => {
      await stage.submit("Write a file.");
      await stage.workUntilHeld();
      await stage.submit("In English, please.", "steer");
      stage.die();
      await stage.work();
    },
  },
  {
    name: "abort",
    says: [held, done],
    play: async (stage) => {
      await stage.submit("Think.");
      await stage.workUntilHeld();
      await stage.submit("And again.");
      await stage.instance().sessions.abort("s");
      await stage.work();
      await stage.submit("Something else.");
      await stage.work();
    },
  },
  {
    name: "killed-in-a-model-call",
    says: [held, done],
    play: async (stage) => {
      await stage.submit("Think.");
      await stage.workUntilHeld();
      stage.die();
      await stage.work();
    },
  },
  {
    name: "killed-after-an-effect",
    says: [[{ call: "launch", input: {} }], [{ text: "I will look." }]],
    play: async (stage) => {
      await stage.submit("Launch it.");
      await stage.workUntilHeld();
      stage.die();
      await stage.work();
    },
  },
  { name: "engine", config: { engine: scriptedEngine(engine) } },
  { name: "budget", says: [[write], [edit], done], config: { budget: { turn: { steps: 2 } } } },
  {
    name: "fork",
    says: [[write], done, [edit], done],
    play: async (stage) => {
      await stage.submit("Write it.");
      await stage.work();
      const { id } = stage.instance().sessions.fork("s");
      await stage.instance().sessions.submit(id, "Change it.", { operationId: "forked" });
      await stage.work();
      return id;
    },
  },
];

function toolsOf(base: ReturnType<AgentConfig["tools"]>, isHeld: () => void, hold: () => boolean) {
  const made = (wait: boolean) =>
    tool({
      description: "a tool of the recordings",
      inputSchema: z.looseObject({}),
      execute: async () => {
        if (wait && hold()) {
          isHeld();
          await new Promise(() => {});
        }
        return { text: "It is done." };
      },
    });
  return {
    ...base,
    deploy: withTraits(made(false), { replay: "unsafe", permission: "network" }),
    launch: withTraits(made(true), { replay: "unsafe", permission: "edit" }),
    hold: withTraits(made(true), { replay: "pure", permission: "read" }),
  };
}

/** Plays a recording. The ids of approvals and forks differ from one time to the next, nothing else does. */
export async function record(recording: Recording): Promise<readonly DurableEvent[]> {
  const storage = createNodeStorage();
  let now = Date.UTC(2026, 0, 1);
  let calls = 0;
  let instance: Instance | undefined;
  let isHeld = Promise.withResolvers<void>();
  let mayHold = true;
  const hold = (): boolean => mayHold;
  prepareStorage(storage, ["s"], () => "scripted/model");
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (ms === 1_000_000) isHeld.resolve();
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      // Waits between tries are over at once; ceilings and watchdogs never come.
      if (ms < 60_000) resolve();
    });
  const clock = { now: () => (now += 10), sleep };
  const begin = (): Instance =>
    createInstance({
      storage,
      clock,
      random: () => 0.5,
      config: {
        ...plainConfig("scripted/model", async () => {
          const say = recording.says?.[calls] ?? done;
          calls += 1;
          const steps = Array.from({ length: 20 }, () => ({ say, usage: { inputTokens: 100, outputTokens: 10 } }));
          return scriptedModel({ model: "model", steps }, { clock });
        }),
        tools: (base) => toolsOf(base, () => isHeld.resolve(), hold),
        ...recording.config,
      },
      sockets: { accept: () => {}, get: () => [] },
      // Nobody is there to be woken: the stage works when it is told to.
      jobs: {
        get: () => undefined,
        push: async (job) => ({ id: "drive", ...job }) as never,
        cancel: async () => false,
      },
      every: () => () => {},
    });
  let count = 0;
  const stage: Stage = {
    instance: () => (instance ??= begin()),
    die: () => {
      instance = undefined;
      mayHold = false;
    },
    submit: async (text, whenBusy = "followUp") => {
      count += 1;
      await stage.instance().sessions.submit("s", text, { operationId: `op-${count}`, whenBusy });
    },
    work: async () => void (await stage.instance().drive.run()),
    workUntilHeld: async () => {
      isHeld = Promise.withResolvers();
      void stage.instance().drive.run();
      await isHeld.promise;
    },
  };
  const play = recording.play ?? playOnce;
  const session = (await play(stage)) ?? "s";
  const events = stage.instance().workspace.journal.events(session);
  storage.close();
  return events;
}

async function playOnce(stage: Stage): Promise<void> {
  await stage.submit("Do it.");
  await stage.work();
}
