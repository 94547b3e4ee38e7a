import { type CommandPart, type ScriptPart, scriptedEngine, scriptedExecutor } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import { envs, requests, type TestAgent } from "../vitest.worker.ts";
import { API_ACCESS } from "./api-methods.ts";
import { REDACTED } from "./redaction/redactor.ts";
import { KEY_TEXT, PRIVATE_KEY } from "./redaction/with-secrets.ts";
import { savedOutputs } from "./saved-outputs.ts";
import { last, withAgent } from "./with-agent.ts";
import { agentOf, callApi, insideOf, nameOf, watch } from "./with-worker.ts";

/** Secrets of the Worker, of the user, and such as are known by their looks; none is real. */
const CANARY = {
  env: "canary-in-env-8Jq2",
  prompt: `ghp_${"Prompt".repeat(6)}`,
  file: `sk-ant-api03-${"File".repeat(20)}`,
  output: `xoxb-1234567890-${"Output".repeat(5)}`,
  error: `sk-proj-${"Error".repeat(10)}`,
  url: "canaryInUrl99",
  text: `glpat-${"Text".repeat(6)}`,
  title: `npm_${"Title1".repeat(6)}`,
  engine: `AIza${"Engin".repeat(7)}`,
} as const;

const canaries = [...Object.values(CANARY), ...KEY_TEXT];

function found(text: string): string[] {
  return canaries.filter((canary) => text.includes(canary));
}

/** Everything that the object stores, but for the content of its files. */
function tablesOf(agent: TestAgent): string {
  const { sql } = agent.ctx.storage;
  const tables = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
  const own = tables.filter(({ name }) => !name.startsWith("_cf_") && name !== "tenrec_blobs");
  expect(own.map(({ name }) => name)).toContain("tenrec_outputs");
  return own.map(({ name }) => JSON.stringify(sql.exec(`SELECT * FROM ${name}`).toArray())).join("\n");
}

const steps = [
  {
    say: [
      { reasoning: `I was given ${CANARY.text} and ${CANARY.env}.` },
      { text: `The token ${CANARY.text} is mine. ` },
      { call: "read", input: { path: ".env" } },
      { call: "read", input: { path: "key.pem" } },
      { call: "grep", input: { pattern: "KEY" } },
    ],
  },
  { say: [{ call: "bash", input: { command: "cat .env; seq 1 3000; cat .env" } }] },
  { say: [{ call: "bash", input: { command: "npm run deploy" } }] },
  { say: [{ call: "bash", input: { command: `git clone https://bob:${CANARY.url}@git.test/a.git` } }] },
  { say: [{ text: "Done." }] },
];

const chunks = [
  "a ",
  CANARY.output.slice(0, 9),
  CANARY.output.slice(9),
  `\n${CANARY.env.slice(0, 10)}`,
  CANARY.env.slice(10),
];
const does: CommandPart[] = chunks.flatMap((stdout) => [{ stdout }, { delay: 5 }]);
const env = { DEPLOY_TOKEN: CANARY.env };

describe("secrets", () => {
  test("of every origin are in no table, frame or answer, and the turn is done all the same", async () => {
    const workspace = "canaries";
    envs.set(await nameOf(workspace), env);
    const { session } = await agentOf(workspace, steps);
    await insideOf(workspace, async (agent) => {
      agent.policy = { execute: "allow" };
      agent.executors = [scriptedExecutor({ name: "box", commands: [{ when: "npm run deploy", does }] })];
      const { trees } = agent.workspace;
      const overlay = trees.overlay(trees.head("main"));
      await overlay.writeFile("/.env", `KEY=${CANARY.file}\nTOKEN=${CANARY.env}\nNAME=tenrec\n`);
      await overlay.writeFile("/key.pem", PRIVATE_KEY);
      trees.commit("main", await trees.stage(overlay));
    });
    const watching = await watch(workspace, `session=${session.id}`);
    await session.change({ title: `Use ${CANARY.title}` });
    await session.submit(`Use ${CANARY.prompt} and ${CANARY.env}`, { operationId: "op" });
    await watching.until((frame) => frame.type === "event" && frame.event.type === "turn-end");
    expect(await session.wait("op")).toMatchObject({ status: "done" });

    const frames = JSON.stringify(watching.frames);
    expect(found(frames)).toEqual([]);
    // Not even over the borders of the pieces in which a text came.
    const streamed = new Map<string, string>();
    for (const frame of watching.frames) {
      if (frame.type !== "event" || !frame.event.type.endsWith("-delta") || !("text" in frame.event)) continue;
      const { event } = frame;
      const key = `${event.type} ${"id" in event ? event.id : ""} ${"toolCallId" in event ? event.toolCallId : ""}`;
      const text = streamed.get(key) ?? "";
      // Gapless, as a client needs it.
      expect("offset" in event && event.offset === text.length).toBe(true);
      streamed.set(key, text + event.text);
    }
    const texts = [...streamed.values()].join("\n");
    expect(found(texts)).toEqual([]);
    expect(texts).toContain(`The token ${REDACTED} is mine. `);
    expect(texts).toContain(`a ${REDACTED}\n${REDACTED}`);
    expect(await insideOf(workspace, (agent) => found(tablesOf(agent)))).toEqual([]);

    const answers: string[] = [];
    for (const [method, access] of Object.entries(API_ACCESS)) {
      if (access !== "read" || method.startsWith("files.")) continue;
      const params = { session: session.id, ...(["status", "wait"].includes(method) ? { operationId: "op" } : {}) };
      const response = await callApi(workspace, method, method === "sessions.list" ? {} : params);
      expect([method, response.status]).toEqual([method, 200]);
      answers.push(await response.text());
    }
    expect(found(answers.join("\n"))).toEqual([]);
    expect(answers.join("\n")).toContain(`KEY=${REDACTED}`);
    watching.close();

    // What the model is shown comes from the journal.
    const sent = requests.filter((request) => request.includes("NAME=tenrec"));
    expect(sent.length).toBeGreaterThan(0);
    expect(found(sent.join("\n"))).toEqual([]);
    // The files themselves are the user's, and stay as they are.
    expect((await session.files.read("/.env")).text).toContain(CANARY.file);
    expect((await session.files.read("/key.pem")).text).toBe(PRIVATE_KEY);
  });

  test("that the agent names, by a variable or as they are, are known too", async () => {
    const agent = await withAgent({
      says: [[{ text: "It is swordfish, or letmein2, or both." }]],
      env: { PLAIN: "swordfish" },
      setup: (a) => {
        a.secrets = ["PLAIN", "letmein2"];
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ text: `It is ${REDACTED}, or ${REDACTED}, or both.` });
  });

  test("that an answer's cut goes through are found before it is cut, and what is saved has none", async () => {
    // The end that is shown begins in the middle of the key.
    const command = "seq 1 2000; cat key.pem; seq 1 1579";
    const agent = await withAgent({ says: [[{ call: "bash", input: { command } }], [{ text: "Done." }]] });
    await agent.write("/key.pem", `${PRIVATE_KEY}\n`);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(last(await agent.events(), "tool-result").output.text).toContain("lines left out");
    expect(await agent.inside((a) => found(tablesOf(a)))).toEqual([]);
    const saved = await agent.inside(({ workspace }) => {
      const outputs = savedOutputs(workspace, "s", "c");
      return outputs.read(outputs.save(`a ${CANARY.text}`));
    });
    expect(saved).toBe(`a ${REDACTED}`);
  });

  test("in what a provider says are not in the reason of the failure", async () => {
    const message = `Incorrect API key provided: ${CANARY.error}.`;
    const agent = await withAgent({ says: [[{ error: { status: 401, message } }]] });
    await agent.submit("go");
    const status = await agent.settle();
    expect(status).toMatchObject({ status: "stopped", reason: "failed" });
    expect(JSON.stringify(status)).toContain(REDACTED);
    expect(await agent.inside((a) => found(tablesOf(a)))).toEqual([]);
  });

  test("in what another engine says are in no event", async () => {
    const value = { line: `key ${CANARY.engine}` };
    const agent = await withAgent({
      says: [],
      setup: (a) => {
        const does = [
          { event: { type: "raw", engine: "robot", value } },
          { event: { type: "text-delta", step: 1, id: "0", text: CANARY.engine } },
          { fail: `lost ${CANARY.engine}` },
        ] as const;
        a.engine = scriptedEngine({ name: "robot", turns: [{ does }] });
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped", message: expect.stringContaining(REDACTED) });
    expect(await agent.inside((a) => found(tablesOf(a)))).toEqual([]);
    expect(JSON.stringify(await agent.events())).toContain(`key ${REDACTED}`);
  });

  test("are no names of sessions or operations", async () => {
    const agent = await withAgent({ says: [] });
    await agent.inside(async (a) => {
      const invalid = { code: "request-invalid" };
      expect(() => a.sessions.create({ id: CANARY.prompt })).toThrow(expect.objectContaining(invalid));
      const submitted = a.sessions.submit("s", "go", { operationId: CANARY.prompt });
      await expect(submitted).rejects.toMatchObject(invalid);
      expect(found(tablesOf(a))).toEqual([]);
    });
  });

  test("in an error of the object are not in the answer", async () => {
    const response = await callApi("error-answer", "sessions.get", { session: CANARY.text });
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(text).toContain(REDACTED);
    expect(found(text)).toEqual([]);
  });

  test("go into a fork as they were stored: not at all", async () => {
    const agent = await withAgent({ says: [[{ text: `It is ${CANARY.text}.` }]] });
    await agent.submit(CANARY.prompt);
    await agent.settle();
    const fork = await agent.inside((a) => a.sessions.fork("s"));
    expect(fork.title).toBe(REDACTED);
    expect(await agent.inside((a) => found(tablesOf(a)))).toEqual([]);
  });
});

describe("a call whose arguments have a secret, or what stands for one", () => {
  const old = `KEY=${CANARY.file}\nNAME=tenrec\n`;

  test.each<[what: string, call: ScriptPart]>([
    ["edit that repeats it", edit(`KEY=${REDACTED}\nNAME=tenrec`, `KEY=${REDACTED}\nNAME=other`)],
    ["edit that sets it", edit("NAME=tenrec", `NAME=${REDACTED}`)],
    ["write", { call: "write", input: { path: ".env", content: `KEY=${REDACTED}\nNAME=other\n` } }],
    ["command", { call: "bash", input: { command: `echo 'KEY=${REDACTED}' > .env` } }],
    ["write of one that the model made up", { call: "write", input: { path: ".env", content: CANARY.output } }],
  ])("is not run: %s", async (_what, call) => {
    const agent = await withAgent({ says: [[call], [{ text: "Understood." }]] });
    await agent.write("/.env", old);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const result = last(await agent.events(), "tool-result");
    expect(result).toMatchObject({ status: "error", output: { isError: true } });
    expect(result.output.text).toContain("was not run: its arguments have a secret in them");
    expect(result.output.text).toContain("edit other lines of the file");
    expect(await agent.read("/.env")).toBe(old);
  });

  test("may look for it, and lines beside it can be edited", async () => {
    const says = [
      [{ call: "grep", input: { pattern: "redacted secret" } }, edit("NAME=tenrec", "NAME=other")],
      [{ text: "Done." }],
    ];
    const agent = await withAgent({ says });
    await agent.write("/.env", old);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(await agent.read("/.env")).toBe(old.replace("NAME=tenrec", "NAME=other"));
    expect(await agent.inside((a) => found(tablesOf(a)))).toEqual([]);
  });
});

function edit(oldText: string, newText: string): ScriptPart {
  return { call: "edit", input: { path: ".env", edits: [{ oldText, newText }] } };
}
