import type { DurableEventBody } from "@tenrec/protocol";
import type { OperationStatus } from "@tenrec/protocol";
import { type Tool, tool } from "ai";
import { z } from "zod";
import type { TestAgent } from "../vitest.worker.ts";
import { type AgentFixture, pause } from "./with-agent.ts";

/** A place in the loop at which the object dies: at the first commit with an event of this type. */
export interface KillPoint {
  readonly at: DurableEventBody["type"];
  /** Before the commit, so that it is lost, or once it is on disk. */
  readonly when: "before" | "after";
}

export interface Kill {
  /** Whether the point was reached. A test that does not ask proves nothing. */
  hasFired: boolean;
  /** To be called with every instance. */
  readonly arm: (agent: TestAgent) => void;
}

/** Kills the first instance that comes to a point. */
export function killAt({ at, when }: KillPoint): Kill {
  const kill: Kill = {
    hasFired: false,
    arm: (agent) => {
      if (kill.hasFired) return;
      const { journal, storage } = { ...agent.workspace, storage: agent.ctx.storage };
      const write = journal.write.bind(journal);
      journal.write = (session, bodies) => {
        const events = write(session, bodies);
        if (kill.hasFired || !bodies.some(({ type }) => type === at)) return events;
        kill.hasFired = true;
        if (when === "before") agent.ctx.abort("killed before the commit");
        // Queued behind the commit that is under way.
        else queueMicrotask(() => void storage.sync().then(() => agent.ctx.abort("killed after the commit")));
        return events;
      };
    },
  };
  return kill;
}

/** Waits until an operation is settled, through deaths of the object. Wakes it, as its alarm would. */
export async function settleThroughKills(agent: AgentFixture, operationId = "op"): Promise<OperationStatus> {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      const status = await agent.inside((a) => a.sessions.status("s", operationId));
      if (status.status !== "queued" && status.status !== "running") return status;
    } catch {
      // It died while it was asked.
    }
    await pause(25);
  }
  throw new Error(`${operationId} did not settle`);
}

/** A tool that notes each time that it runs. */
export function counted(runs: string[], name: string, execute: () => unknown = () => {}): Tool {
  return tool({
    description: name,
    inputSchema: z.looseObject({}),
    execute: async () => {
      runs.push(name);
      await execute();
      return { text: `${name} is done` };
    },
  });
}
