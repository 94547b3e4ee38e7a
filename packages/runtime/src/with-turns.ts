import type { SessionPoint, Undone, UndoOptions } from "@tenrec/protocol";
import { type AgentFixture, withAgent } from "./with-agent.ts";

export const bash = (command: string): { call: string; input: { command: string } } => ({
  call: "bash",
  input: { command },
});
export const says = (text: string): { text: string }[] => [{ text }];

/** Every file of the tree with its content. */
export function filesOf(agent: AgentFixture, session = "s"): Promise<Record<string, string>> {
  return agent.inside(async ({ workspace: { trees, journal } }) => {
    const tree = trees.head(journal.session(session).head);
    const overlay = trees.overlay(tree);
    const files: Record<string, string> = {};
    for (const { path, kind } of trees.manifest(tree)) {
      files[path] = kind === "file" ? await overlay.readFile(path) : kind;
    }
    return files;
  });
}

export function undo(agent: AgentFixture, to: SessionPoint, options?: UndoOptions): Promise<Undone> {
  return agent.inside((a) => a.sessions.undo("s", to, options));
}

/** What an undo was refused with. */
export function refusal(agent: AgentFixture, to: SessionPoint, options?: UndoOptions): Promise<unknown> {
  return agent.inside((a) =>
    a.sessions.undo("s", to, options).then(
      () => "done",
      (error: { code: string; data: unknown }) => ({ code: error.code, data: error.data }),
    ),
  );
}

export async function run(agent: AgentFixture, operationId: string): Promise<void> {
  await agent.submit(`please ${operationId}`, operationId);
  await agent.settle(operationId);
}

/** Two turns: the first makes files, the second changes, adds and removes some, in two calls of one step. */
export async function withTwoTurns(more: Parameters<typeof withAgent>[0]["says"] = []): Promise<AgentFixture> {
  const agent = await withAgent({
    says: [
      [bash("mkdir d && echo one > a.txt && echo kept > d/c.txt && echo '#!' > run && ln -s a.txt link")],
      says("first answer"),
      [
        bash("echo two > a.txt && mkdir -p new/deep && echo new > new/deep/b.txt"),
        bash("rm -r d link && chmod +x run"),
      ],
      says("second answer"),
      ...(more as []),
    ],
  });
  await run(agent, "one");
  await run(agent, "two");
  return agent;
}
