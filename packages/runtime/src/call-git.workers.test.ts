import { describe, expect, test } from "vitest";
import { withAgent } from "./with-agent.ts";

const START = "git init -q && git config user.name Ada && git config user.email ada@example.com && echo hi > a.txt";

const bash = (command: string) => [{ call: "bash", input: { command } }];

async function outputs(says: Parameters<typeof withAgent>[0]["says"]): Promise<string[]> {
  const agent = await withAgent({ says });
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "done" });
  return (await agent.events()).flatMap((event) => (event.type === "tool-result" ? [event.output.text] : []));
}

describe("git in the shell", () => {
  test("keeps what a call did, with the files of that call", async () => {
    const texts = await outputs([
      bash(`${START} && git add a.txt && git commit -m "One"`),
      bash("echo more >> a.txt && git commit -am Two && git log --format=%s && git status -s"),
      [{ text: "Done." }],
    ]);
    expect(texts[0]).toMatch(/^\[main \(root-commit\) [0-9a-f]{7}\] One\n 1 file changed, 1 insertion\(\+\)/);
    expect(texts[1]).toMatch(/\[main [0-9a-f]{7}\] Two\n 1 file changed, 1 insertion\(\+\)\nTwo\nOne$/);
  });

  test("is not needed by a call that never asks for it", async () => {
    const texts = await outputs([bash("git status; echo x > b.txt; ls"), [{ text: "Done." }]]);
    expect(texts[0]).toContain("not a git repository");
    expect(texts[0]).toContain("b.txt");
  });

  test("asks before it reaches a server, and has done nothing while it waits", async () => {
    const command = `${START} && git add . && git commit -qm One && git remote add origin https://git.example.com/x.git && git push origin main`;
    const agent = await withAgent({ says: [bash(command), [{ text: "Done." }]] });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "waiting" });
    const asked = (await agent.events()).find((event) => event.type === "approval-request");
    expect(asked).toMatchObject({ permission: "network" });
    // Nothing of the call is there while it waits.
    expect(await agent.read("/a.txt").catch(() => undefined)).toBeUndefined();
  });
});
