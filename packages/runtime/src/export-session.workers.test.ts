import type { ScriptPart } from "@tenrec/testkit";
import { expect, test } from "vitest";
import type { ExportEnd } from "./export-session.ts";
import { type AgentFixture, withAgent } from "./with-agent.ts";
import { agentOf, send, watch } from "./with-worker.ts";

const bash = (command: string): ScriptPart => ({ call: "bash", input: { command } });

async function withTurns(): Promise<AgentFixture> {
  const agent = await withAgent({
    says: [
      [{ text: "Let me see." }, bash("echo '```'; seq 1 9000")],
      [{ text: "first answer" }],
      [bash("echo 2 > two.txt")],
      [{ text: "second answer" }],
    ],
  });
  for (const id of ["a", "b"]) {
    await agent.submit(`prompt ${id}\nin two lines`, id);
    await agent.settle(id);
  }
  return agent;
}

test("an export has every event, what was undone included, and the outputs that were cut", async () => {
  const agent = await withTurns();
  const lines = await agent.inside(async (a) => {
    await a.sessions.undo("s", { turn: 2 });
    return [...a.sessions.export("s")].map((line) => JSON.parse(line) as { type: string; id?: string; text?: string });
  });
  const events = await agent.events();
  const [header, ...rest] = lines;
  expect(header).toMatchObject({ type: "session", version: 1, session: { id: "s", lastSeq: events.length } });
  expect(rest.slice(0, events.length)).toEqual(events);
  const [output, end] = rest.slice(events.length);
  expect(output?.type).toBe("output");
  expect(output?.text).toContain("8999\n9000");
  expect(end).toEqual({ type: "end", events: events.length, outputs: 1 } satisfies ExportEnd);
  expect(rest).toHaveLength(events.length + 2);
});

test("a transcript has what counts, for people, and no text breaks out of its place", async () => {
  const agent = await withTurns();
  const transcript = (): Promise<string> => agent.inside((a) => [...a.sessions.export("s", "markdown")].join("\n"));
  expect(await transcript()).toContain("second answer");
  await agent.inside((a) => a.sessions.undo("s", { turn: 2 }));
  const text = await transcript();
  expect(text).not.toContain("second answer");
  expect(text).not.toContain("prompt b");
  const [title, prompt, said, call, answer] = [
    text.indexOf("# prompt a"),
    text.indexOf("> prompt a\n> in two lines"),
    text.indexOf("Let me see."),
    text.indexOf("**bash** ok"),
    text.indexOf("first answer"),
  ];
  expect([title, prompt, said, call, answer].toSorted((x, y) => x - y)).toEqual([title, prompt, said, call, answer]);
  expect(title).toBe(0);
  expect(text).toMatch(/\n````\n```\n1\n2\n[^]*more characters\n````\n/);
});

test("of a session that is deleted on the way breaks off with the reason", async () => {
  const agent = await withTurns();
  await agent.inside(async (a) => {
    a.sessions.create({ id: "t" });
    a.workspace.journal.append(
      "t",
      Array.from({ length: 50 }, () => ({ type: "reset" }) as const),
    );
    const lines = a.sessions.export("t");
    lines.next();
    lines.next();
    await a.sessions.delete("t");
    expect(() => [...lines]).toThrow(expect.objectContaining({ code: "session-not-found" }));
  });
});

test("a client gets both as streams, undoes, forks at a moment, and is told what is not valid", async () => {
  const name = "export-and-undo";
  const steps = [{ say: [bash("echo 1 > one.txt")] }, { say: [{ text: "first answer" }] }];
  const { agent, session } = await agentOf(name, steps);
  await session.submit("go", { operationId: "a" });
  await session.wait("a");
  const text = async (format?: "jsonl" | "markdown"): Promise<string> =>
    new Response(await session.export(format)).text();
  const lines = (await text()).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "end", events: lines.length - 2 });
  expect(await text("markdown")).toContain("first answer");
  const wrong = await send(name, `export?session=${session.id}&format=pdf`);
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: "request-invalid" } }]);
  expect((await send(name, "export?session=none")).status).toBe(404);
  const fork = await agent.sessions.fork(session.id, { at: { turn: 1 } });
  expect(await fork.files.list()).toEqual([]);
  const socket = await watch(name, `session=${session.id}`);
  const undone = await session.undo({ turn: 1 });
  expect(undone).toMatchObject({ session: session.id, files: ["/one.txt"], redo: { seq: undone.seq - 1 } });
  await socket.until((frame) => frame.type === "event" && frame.event.type === "undo");
  socket.close();
  expect(await session.files.list()).toEqual([]);
  await expect(session.undo({ turn: 1 })).rejects.toMatchObject({ code: "point-not-found" });
  await expect(session.undo({ turn: 0 })).rejects.toMatchObject({ code: "request-invalid" });
  if (undone.redo) await session.undo(undone.redo, { force: true, whenBusy: "abort" });
  expect(await session.files.list()).toHaveLength(1);
  await fork.delete();
  expect(await agent.sessions.list()).toHaveLength(1);
});
