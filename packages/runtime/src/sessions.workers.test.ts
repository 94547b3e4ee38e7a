import { MAX_PROMPT_BYTES } from "@tenrec/protocol";
import type { LanguageModel } from "ai";
import { describe, expect, test } from "vitest";
import { diffSession } from "./files.ts";
import type { ModelFactory } from "./models.ts";
import { Sessions } from "./sessions.ts";
import { type AgentFixture, last, until, withAgent } from "./with-agent.ts";
import { scripts, type TestAgent } from "../vitest.worker.ts";

const answer = [{ text: "Done." }];
const asking = [[{ call: "ls", input: {} }], answer];

function modelOf(doStream: () => Promise<unknown>): unknown {
  const doGenerate = (): Promise<never> => new Promise(() => {});
  return { specificationVersion: "v4", provider: "deaf", modelId: "x", supportedUrls: {}, doGenerate, doStream };
}

function askToRead(agent: TestAgent): void {
  agent.policy = { read: "ask" };
}

function steer(agent: AgentFixture, text: string): Promise<unknown> {
  return agent.inside((a) => a.sessions.submit("s", text, { operationId: "two", whenBusy: "steer" }));
}

describe("submit", () => {
  test.each([
    ["empty", "", "prompt-empty"],
    ["blank", " \n ", "prompt-empty"],
    ["above the limit", "x".repeat(MAX_PROMPT_BYTES), "prompt-too-large"],
  ])("refuses a prompt that is %s, and nothing is stored", async (_name, prompt, code) => {
    const agent = await withAgent({ says: [answer] });
    await expect(agent.submit(prompt)).rejects.toMatchObject({ code });
    expect(await agent.events()).toEqual([]);
  });

  test("takes a prompt just below the limit", async () => {
    const agent = await withAgent({ says: [answer] });
    await agent.submit("x".repeat(MAX_PROMPT_BYTES - 100));
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const [input] = await agent.events();
    expect(input).toMatchObject({ type: "input", parts: [{ text: expect.stringMatching(/^x{1000}/) }] });
  });

  test("the same id with the same input is one operation; with other input it is an error", async () => {
    const agent = await withAgent({ says: [answer] });
    const submit = (text: string): Promise<unknown> =>
      agent.inside((a) => a.sessions.submit("s", text, { operationId: "op" }));
    expect(await submit("go")).toEqual({ session: "s", operationId: "op", accepted: true });
    expect(await submit("go")).toEqual({ session: "s", operationId: "op", accepted: false });
    await agent.settle();
    expect(await submit("go")).toEqual({ session: "s", operationId: "op", accepted: false });
    await expect(submit("other")).rejects.toMatchObject({
      code: "operation-conflict",
      message: "Operation op was submitted before with other input. Use a new operation id for new input.",
    });
    expect((await agent.events()).filter((e) => e.type === "input")).toHaveLength(1);
  });

  test("prompts of two clients at once are answered one after the other", async () => {
    const agent = await withAgent({ says: [answer, answer] });
    await Promise.all([agent.submit("one", "a"), agent.submit("two", "b")]);
    expect(await agent.settle("a")).toMatchObject({ status: "done", turn: 1 });
    expect(await agent.settle("b")).toMatchObject({ status: "done", turn: 2 });
    const types = (await agent.events()).map((e) => e.type);
    expect(types.filter((t) => t === "turn-start" || t === "turn-end")).toEqual([
      "turn-start",
      "turn-end",
      "turn-start",
      "turn-end",
    ]);
  });

  test("that is repeated after it was stored but not scheduled schedules it", async () => {
    const agent = await withAgent({ says: [answer] });
    let tries = 0;
    await agent.inside(async (a) => {
      const schedule = async (): Promise<void> => {
        tries += 1;
        if (tries === 1) throw new Error("storage is away");
      };
      const sessions = new Sessions(a.workspace, {
        schedule,
        interrupt: () => {},
        isWorking: () => false,
        planMaintenance: async () => {},
      });
      const submit = (): Promise<unknown> => sessions.submit("s", "go", { operationId: "op" });
      await expect(submit()).rejects.toThrow("storage is away");
      expect(await submit()).toMatchObject({ accepted: false });
    });
    expect(tries).toBe(2);
  });

  test.each([
    ["without data", ""],
    ["that is no URL", "photo.png"],
    ["of a scheme of its own", "ftp://x.test/a.png"],
  ])("refuses a file %s, and the session goes on", async (_name, url) => {
    const agent = await withAgent({ says: [answer] });
    const file = { type: "file", mediaType: "image/png", url } as const;
    await expect(agent.inside((a) => a.sessions.submit("s", [file]))).rejects.toMatchObject({
      code: "request-invalid",
    });
    await agent.submit("go on without it");
    expect(await agent.settle()).toMatchObject({ status: "done" });
  });

  test("of a file that is not at its address fails that prompt, not the ones behind it", async () => {
    const agent = await withAgent({
      says: [answer, answer],
      setup: (a) => {
        const scripted = a.providers["scripted"];
        // The SDK fetches what the provider does not take as an address.
        const provider: ModelFactory<Cloudflare.Env> = async (name, env) =>
          Object.assign((await scripted?.(name, env)) ?? {}, { supportedUrls: {} }) as LanguageModel;
        a.providers = { ...a.providers, scripted: provider };
      },
    });
    const file = { type: "file", mediaType: "image/png", url: "http://127.0.0.1:9/a.png" } as const;
    await agent.inside((a) => a.sessions.submit("s", [{ type: "text", text: "look" }, file], { operationId: "a" }));
    expect(await agent.settle("a")).toMatchObject({ status: "stopped", reason: "failed" });
    await agent.submit("go on without it", "b");
    expect(await agent.settle("b")).toMatchObject({ status: "done" });
  }, 20_000);

  test("steering joins the running turn, and reject refuses while it runs", async () => {
    const agent = await withAgent({
      says: [[{ delay: 300 }, { call: "ls", input: {} }], [{ text: "Both." }]],
    });
    await agent.submit("go");
    await expect(
      agent.inside((a) => a.sessions.submit("s", "no", { operationId: "r", whenBusy: "reject" })),
    ).rejects.toMatchObject({ code: "session-busy" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await agent.inside((a) => a.sessions.submit("s", "also this", { operationId: "steer", whenBusy: "steer" }));
    expect(await agent.settle("steer")).toMatchObject({ status: "done", text: "Both.", turn: 1 });
    const { requests } = await import("../vitest.worker.ts");
    expect(requests.at(-1)).toContain("also this");
  });
});

describe("a prompt that wants to steer", () => {
  test("waits with the turn that it joined for the same answer", async () => {
    const agent = await withAgent({ says: asking, setup: askToRead });
    await agent.submit("go");
    const first = await agent.settle();
    await steer(agent, "also");
    expect(first).toMatchObject({ status: "waiting" });
    const status = await agent.inside((a) => a.sessions.status("s", "two"));
    expect(status).toEqual({ ...first, operationId: "two" });
  });

  test("is answered in a turn of its own when the running one has been stopped", async () => {
    const agent = await withAgent({ says: asking, setup: askToRead });
    await agent.submit("go");
    await agent.settle();
    await agent.inside(async (a) => {
      await a.sessions.abort("s");
      await a.sessions.submit("s", "instead, do this", { operationId: "two", whenBusy: "steer" });
    });
    expect(await agent.settle("two")).toMatchObject({ status: "done", text: "Done.", turn: 2 });
    expect(await agent.settle()).toMatchObject({ status: "stopped", turn: 1 });
  });

  test("is stopped alone while the model has not seen it", async () => {
    const agent = await withAgent({ says: [[{ delay: 300 }, { call: "ls", input: {} }], [{ text: "Done." }]] });
    await agent.submit("go");
    await until(async () => (await agent.events()).some((e) => e.type === "step-start"));
    await agent.inside(async (a) => {
      await a.sessions.submit("s", "also", { operationId: "two", whenBusy: "steer" });
      await a.sessions.abort("s", "two");
    });
    expect(await agent.settle("two")).toMatchObject({ status: "stopped", reason: "aborted" });
    expect(await agent.settle()).toMatchObject({ status: "done" });
  });
});

describe("abort", () => {
  test("ends a model call that streams", async () => {
    const agent = await withAgent({ says: [[{ text: "begin" }, { delay: 20_000 }, { text: "end" }]] });
    await agent.submit("go");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await agent.inside((a) => a.sessions.abort("s"))).toBe(true);
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "aborted",
      message: "Stopped on request.",
    });
    expect(await agent.inside((a) => a.sessions.abort("s"))).toBe(false);
  });

  test.each<[string, () => unknown]>([
    ["whose provider never comes", () => new Promise(() => {})],
    ["that never answers", () => modelOf(() => new Promise(() => {}))],
    [
      "that stops in the middle of an answer",
      () =>
        modelOf(async () => ({
          stream: new ReadableStream({
            start(controller) {
              controller.enqueue({ type: "stream-start", warnings: [] });
              controller.enqueue({ type: "text-start", id: "0" });
              controller.enqueue({ type: "text-delta", id: "0", delta: "hm" });
            },
          }),
        })),
    ],
  ])("leaves behind a model %s and does not listen", async (_name, make) => {
    const agent = await withAgent({
      says: [],
      setup: (a) => {
        a.providers = { deaf: () => make() as LanguageModel };
        a.model = "deaf/x";
      },
    });
    await agent.submit("go");
    await new Promise((resolve) => setTimeout(resolve, 150));
    await agent.inside((a) => a.sessions.abort("s"));
    const started = Date.now();
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
    expect(Date.now() - started).toBeLessThan(1500);
  });

  test("ends a command that runs, and leaves the tree as it was", async () => {
    const agent = await withAgent({ says: [[{ call: "bash", input: { command: "echo a > a.txt; sleep 20" } }]] });
    await agent.submit("go");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await agent.inside((a) => a.sessions.abort("s", "op"));
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
    expect(last(await agent.events(), "tool-result")).toMatchObject({ status: "interrupted" });
    await expect(agent.read("/a.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("drops what is queued, and the next prompt works", async () => {
    const agent = await withAgent({ says: [[{ delay: 20_000 }, { text: "never" }], answer] });
    await agent.submit("one", "a");
    await agent.submit("two", "b");
    await agent.inside((a) => a.sessions.abort("s"));
    expect(await agent.settle("a")).toMatchObject({ reason: "aborted" });
    expect(await agent.settle("b")).toMatchObject({ reason: "aborted", message: "Stopped before it began." });
  });
});

describe("sessions", () => {
  test("are listed with what a person would call them", async () => {
    const agent = await withAgent({ says: [answer] });
    await agent.submit("Fix the clock\nplease");
    await agent.settle();
    expect(await agent.inside((a) => a.sessions.list())).toMatchObject([
      { id: "s", title: "Fix the clock", state: "idle", model: `scripted/${agent.name}` },
    ]);
    await agent.inside((a) => a.sessions.change("s", { title: "Clock" }));
    expect(await agent.inside((a) => a.sessions.get("s"))).toMatchObject({ title: "Clock" });
  });

  test("share the workspace's files; a fork has its own, and the conversation so far", async () => {
    const agent = await withAgent({
      says: [
        [{ call: "write", input: { path: "a.txt", content: "1" } }],
        [{ text: "Wrote." }],
        [{ call: "write", input: { path: "a.txt", content: "2" } }],
        [{ text: "Wrote again." }],
      ].map((say) => ({ say })),
    });
    await agent.submit("go");
    await agent.settle();
    const fork = await agent.inside((a) => a.sessions.fork("s"));
    expect(fork).toMatchObject({ parent: "s", title: "go" });
    await agent.write("/a.txt", "changed in main");
    const inFork = await agent.inside(({ workspace: { trees, journal } }) =>
      trees.overlay(trees.head(journal.session(fork.id).head)).readFile("/a.txt"),
    );
    expect(inFork).toBe("1");
    const events = await agent.inside((a) => a.sessions.history(fork.id));
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
    expect(last(events, "turn-end")).toMatchObject({ session: fork.id, text: "Wrote." });
  });

  test("with files of its own, a session begins empty or with a copy, and shares nothing", async () => {
    const agent = await withAgent({ says: [] });
    await agent.write("/a.txt", "shared");
    const [empty, copy] = await agent.inside((a) => [
      a.sessions.create({ id: "main", filesFrom: null }),
      a.sessions.create({ filesFrom: "s" }),
    ]);
    await agent.write("/a.txt", "changed");
    const files = (session: string): Promise<Record<string, string>> =>
      agent.inside(async ({ workspace: { trees, journal } }) => {
        const overlay = trees.overlay(trees.head(journal.session(session).head));
        const names = await overlay.readdir("/");
        return Object.fromEntries(
          await Promise.all(names.map(async (name) => [name, await overlay.readFile(`/${name}`)])),
        );
      });
    expect(await files(empty!.id)).toEqual({});
    expect(await files(copy!.id)).toEqual({ "a.txt": "shared" });
    await expect(agent.inside((a) => a.sessions.create({ filesFrom: "x" }))).rejects.toMatchObject({
      code: "session-not-found",
    });
  });

  test("share files, but the diff of a turn does not show what another session changed meanwhile", async () => {
    const agent = await withAgent({ says: [[{ delay: 500 }, { text: "Nothing to do." }]] });
    scripts.set("writes", {
      model: "writes",
      steps: [{ say: [{ call: "write", input: { path: "t.txt", content: "t" } }] }, { say: [{ text: "Done." }] }],
    });
    await agent.submit("go");
    await agent.inside(async (a) => {
      a.sessions.create({ id: "t" });
      a.sessions.change("t", { model: "scripted/writes" });
      await a.sessions.submit("t", "write", { operationId: "w" });
    });
    await until(async () => (await agent.inside((a) => a.sessions.status("t", "w"))).status === "done");
    expect((await agent.inside((a) => a.sessions.status("s", "op"))).status).toBe("running");
    await agent.settle();
    const paths = (session: string): Promise<string[]> =>
      agent.inside(async (a) => (await diffSession(a.workspace, session, 1)).map(({ path }) => path));
    expect(await paths("s")).toEqual([]);
    expect(await paths("t")).toEqual(["/t.txt"]);
  });

  test("unknown ones are an error with a code", async () => {
    const agent = await withAgent({ says: [] });
    const missing = { code: "session-not-found" };
    await expect(agent.inside((a) => a.sessions.get("x"))).rejects.toMatchObject(missing);
    await expect(agent.inside((a) => a.sessions.submit("x", "go"))).rejects.toMatchObject(missing);
    await expect(agent.inside((a) => a.sessions.status("s", "x"))).rejects.toMatchObject({
      code: "operation-not-found",
    });
    await expect(agent.inside((a) => a.sessions.create({ id: "s" }))).rejects.toMatchObject({
      code: "request-invalid",
    });
  });
});
