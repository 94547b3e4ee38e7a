import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { withTenrec } from "./with-tenrec.ts";

/** workerd, wrangler and the bundler beside the other tests on two cores. In milliseconds. */
const SLOW = 120_000;

const FILES = {
  ".gitignore": "node_modules\n",
  "node_modules/left/out.js": "",
  "src/add.ts": "export const add = (a: number, b: number) => a - b;\n",
  "README.md": "# Adding\n",
};
const FIXED = "export const add = (a: number, b: number) => a + b;\n";

const edit = { path: "src/add.ts", edits: [{ oldText: "a - b", newText: "a + b" }] };

/** Fixes `add` and writes a new file. `delay` is the time that the model takes for its second answer. */
const fix = (delay = 0): Script => ({
  model: "demo",
  steps: [
    { say: [{ text: "Looking." }, { call: "read", input: { path: "src/add.ts" } }] },
    {
      say: [{ delay }, { call: "edit", input: edit }, { call: "write", input: { path: "NEW.md", content: "# New\n" } }],
    },
    { say: [{ text: "It adds now." }] },
  ],
});

const session = (text: string): string => /[Ss]ession (\S{4}-\S{4})/.exec(text)?.[1] ?? "";

test("run works on a copy of the folder; --apply brings the result back", { timeout: SLOW }, async () => {
  await using tenrec = await withTenrec(FILES, fix());
  const run = tenrec.start("run", "Fix add", "--apply");
  await run.ends(0);
  expect(run.stderr()).toBe("");
  const output = run.stdout();
  expect(output).toMatch(
    /^Session \S{4}-\S{4} · 3 files \(\d+ bytes\) of .*\/project\nopenai-compatible\/demo, because of OPENAI_BASE_URL\n/,
  );
  expect(output).toMatch(/✓ edit {3}src\/add.ts {2}\+1 −1\n/);
  expect(output).toContain("-export const add = (a: number, b: number) => a - b;\n+export const add");
  expect(output).toContain("2 files changed, +2 −1\n\n3 model calls · ");
  expect(output).toContain("2 files applied\n");
  expect(output).not.toContain("\u001b");
  expect(readFileSync(join(tenrec.dir, "src/add.ts"), "utf8")).toBe(FIXED);
  expect(readFileSync(join(tenrec.dir, "NEW.md"), "utf8")).toBe("# New\n");
  const data = join(tenrec.dir, "../data/tenrec");
  expect([data, join(data, "state", session(output))].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700,
  ]);

  const list = tenrec.startBare("sessions", "--json");
  await list.ends(0);
  expect(JSON.parse(list.stdout())).toMatchObject({
    id: session(output),
    title: "Fix add",
    model: "openai-compatible/demo",
  });
  await tenrec.startBare("sessions", "rm", session(output)).ends(0);
  expect(existsSync(join(data, "state", session(output)))).toBe(false);
});

test("a turn that was applied can be taken back, in the session and then on disk", { timeout: SLOW }, async () => {
  await using tenrec = await withTenrec(FILES, fix());
  const run = tenrec.start("run", "Fix add", "--apply");
  await run.ends(0);
  const id = session(run.stdout());
  await tenrec.startBare("sessions", "rename", id, "Renamed").ends(0);
  const exported = tenrec.startBare("sessions", "export", id);
  await exported.ends(0);
  const lines = exported.lines();
  expect(lines[0]).toMatchObject({ type: "session" });
  expect(lines.at(-1)).toMatchObject({ type: "end", events: lines.length - 2 });
  const undone = tenrec.startBare("sessions", "undo", id.slice(0, 6));
  await undone.ends(0);
  expect(undone.stdout()).toContain("2 files of the session changed:\n  NEW.md\n  src/add.ts\n");
  expect(existsSync(join(tenrec.dir, "NEW.md"))).toBe(true);
  await tenrec.startBare("run", "--session", id, "--apply").ends(0);
  expect(existsSync(join(tenrec.dir, "NEW.md"))).toBe(false);
  expect(readFileSync(join(tenrec.dir, "src/add.ts"), "utf8")).toBe(FILES["src/add.ts"]);
  const list = tenrec.startBare("sessions", "--json");
  await list.ends(0);
  expect(JSON.parse(list.stdout())).toMatchObject({ id, title: "Renamed" });
});

test("--json prints events alone; a file that changed meanwhile is left as it is", { timeout: SLOW }, async () => {
  await using tenrec = await withTenrec(FILES, fix(1000));
  const run = tenrec.start("run", "Fix add", "--apply", "--json");
  await run.says('"step-end"');
  writeFileSync(join(tenrec.dir, "src/add.ts"), "// mine\n");
  await run.ends(1);
  const lines = run.lines();
  const types = lines.map(({ type }) => type);
  expect([types[0], types[1], types.at(-3), types.at(-2), types.at(-1)]).toEqual([
    "start",
    "input",
    "turn-end",
    "diff",
    "result",
  ]);
  const events = lines.flatMap((line) => ("seq" in line ? [line.seq] : []));
  expect(events).toEqual(events.map((_, index) => index + 1));
  expect(lines[0]).toMatchObject({
    dir: tenrec.dir,
    model: "openai-compatible/demo",
    permission: "edit",
    isNew: true,
    files: 3,
  });
  expect(lines.at(-1)).toMatchObject({
    exitCode: 1,
    reason: "done",
    text: "It adds now.",
    hasChanges: true,
    applied: [
      { path: "/NEW.md", status: "created" },
      { path: "/src/add.ts", status: "refused", reason: expect.stringContaining("changed on disk") },
    ],
  });
  expect(readFileSync(join(tenrec.dir, "src/add.ts"), "utf8")).toBe("// mine\n");
});

test("after SIGKILL, --session goes on with the turn in its middle", { timeout: SLOW }, async () => {
  await using tenrec = await withTenrec(FILES, fix(2500));
  const killed = tenrec.start("run", "Fix add");
  await killed.says("✓ read");
  killed.kill("SIGKILL");
  await killed.ends(null);
  const next = tenrec.start("run", "--session", session(killed.stdout()), "--patch", "change.diff", "--json");
  await next.ends(0);
  const lines = next.lines();
  expect(lines.filter(({ type }) => type === "input")).toHaveLength(1);
  expect(lines.flatMap((line) => (line.type === "tool-result" ? [line.toolName] : []))).toEqual([
    "read",
    "edit",
    "write",
  ]);
  expect(lines.at(-1)).toMatchObject({ exitCode: 0, text: "It adds now.", hasChanges: true });
  expect(readFileSync(join(tenrec.dir, "change.diff"), "utf8")).toContain("+++ b/src/add.ts");
  expect(readFileSync(join(tenrec.dir, "src/add.ts"), "utf8")).toBe(FILES["src/add.ts"]);
});

test("Ctrl-C stops the turn and says how to go on", { timeout: SLOW }, async () => {
  await using tenrec = await withTenrec(FILES, fix(60_000));
  const run = tenrec.start("run", "Fix add", "--apply");
  await run.says("✓ read");
  run.kill("SIGINT");
  await run.ends(130);
  const id = session(run.stdout());
  expect(run.stdout()).toContain(`Stopped; the session is kept. Go on: tenrec run --session ${id} "…"\n`);
  expect(readFileSync(join(tenrec.dir, "src/add.ts"), "utf8")).toBe(FILES["src/add.ts"]);
});

test("a question that nobody answers ends the run with 3", { timeout: SLOW }, async () => {
  await using tenrec = await withTenrec(FILES, fix());
  const run = tenrec.start("run", "Fix add", "--permission", "ask", "--apply");
  await run.ends(3);
  expect(run.stdout()).toContain("Waits for your approval (edit):\n  ");
  expect(run.stdout()).toMatch(/Nobody is here to answer. Answer in a terminal: tenrec run --session \S+\n$/);
});

test(
  "image, permission and cap reach the Worker; --session remembers them, or changes them",
  { timeout: SLOW },
  async () => {
    const looks: Script = {
      model: "looks",
      steps: [
        { when: { prompt: { media: "image/" } }, say: [{ call: "write", input: { path: "a.md", content: "A dot." } }] },
        { say: [{ text: "I may not write." }] },
        { say: [{ text: "I said so." }] },
      ],
    };
    await using tenrec = await withTenrec({ "dot.png": "png", "looks.json": JSON.stringify(looks) });
    const args = ["--model", "scripted/looks.json", "--image", "dot.png", "--permission", "read", "--max-steps", "1"];
    const run = tenrec.startBare("run", "--json", ...args);
    await run.ends(3);
    const lines = run.lines();
    expect(lines[0]).toMatchObject({ model: "scripted/looks", permission: "read" });
    expect(lines.find(({ type }) => type === "tool-result")).toMatchObject({
      toolName: "write",
      output: { text: expect.stringContaining("Not permitted (edit)") },
    });
    expect(lines.at(-1)).toMatchObject({ exitCode: 3, reason: "steps", hasChanges: false });

    const id = lines.flatMap((line) => (line.type === "start" ? [line.session] : []))[0] ?? "";
    const next = tenrec.startBare("run", "Go on", "--json", "--session", id.slice(0, 6), "--max-steps", "5");
    await next.ends(0);
    expect(next.lines()[0]).toMatchObject({ session: id, permission: "read", isNew: false });
    expect(next.lines().filter(({ type }) => type === "turn-start")).toHaveLength(1);
    expect(next.lines().at(-1)).toMatchObject({ exitCode: 0, reason: "done" });
  },
);

test.each([
  ["no key", ["run", "Fix add"], /^No model is configured\. [^]*ANTHROPIC_API_KEY[^]*OPENAI_BASE_URL/],
  ["no prompt", ["run"], /^Say what to do/],
  ["a mistyped command", ["rnu"], /Did you mean run\?/],
  ["a mistyped option", ["run", "--aply", "x"], /Did you mean --apply\?/],
  ["an unknown session", ["run", "--session", "nope", "x"], /^There is no session nope/],
  ["a folder that is none", ["run", "x", "--dir", "README.md"], /README\.md is no folder/],
  ["no command", [], /^usage: tenrec <command>/],
])("%s is wrong use: 2, and nothing on standard output", async (_name, args, expected) => {
  await using tenrec = await withTenrec(FILES);
  const run = tenrec.startBare(...args);
  await run.ends(2);
  expect(run.stderr()).toMatch(expected);
  expect(run.stdout()).toBe("");
});
