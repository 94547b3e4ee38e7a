import type { Clock, DurableEvent, InputPart, OperationStatus } from "@tenrec/protocol";
import type { ScriptPart, ScriptStep } from "@tenrec/testkit";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { clocks, envs, scripts, setups, type TestAgent } from "../vitest.worker.ts";

/** A workspace of its own with one session in it, and what tests do with it. */
export interface AgentFixture {
  readonly name: string;
  /** Runs inside the object. */
  inside<T>(run: (agent: TestAgent) => T | Promise<T>): Promise<T>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
  submit(input: string | readonly InputPart[], operationId?: string): Promise<void>;
  /** Waits until the operation is settled or parked. */
  settle(operationId?: string): Promise<OperationStatus>;
  events(): Promise<DurableEvent[]>;
}

let count = 0;

export interface FixtureOptions {
  /** What the model says, one list for each call, or a whole script. */
  readonly says: readonly (readonly ScriptPart[])[] | readonly ScriptStep[];
  readonly setup?: (agent: TestAgent) => void;
  /** Variables and bindings of the Worker, beside those of all tests. */
  readonly env?: object;
  /** Default: the platform's. Jobs become due by real time, so it must not be ahead when something is submitted. */
  readonly clock?: Clock;
}

/** A new agent whose model is a script. */
export async function withAgent({ says, setup, env: more, clock }: FixtureOptions): Promise<AgentFixture> {
  count += 1;
  const name = `agent-${count}-${crypto.randomUUID()}`;
  scripts.set(name, { model: name, steps: says.map((say) => ("say" in say ? say : { say })) });
  if (more) envs.set(name, more);
  if (clock) clocks.set(name, clock);
  setups.set(name, (agent) => {
    agent.model = `scripted/${name}`;
    setup?.(agent);
  });
  // A stub is broken once its object was aborted, so each call gets its own.
  const inside = <T>(run: (agent: TestAgent) => T | Promise<T>): Promise<T> =>
    runInDurableObject(env.TestAgent.getByName(name), async (agent) => {
      await agent.lifecycle.start();
      return run(agent);
    });
  await inside((agent) => agent.sessions.create({ id: "s" }));
  const waitUntil = async (operationId: string): Promise<OperationStatus> => {
    for (let tries = 0; tries < 1200; tries += 1) {
      const status = await inside((agent) => agent.sessions.status("s", operationId));
      if (status.status !== "queued" && status.status !== "running") return status;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`operation ${operationId} did not settle`);
  };
  return {
    name,
    inside,
    write: (path, content) =>
      inside(async ({ workspace: { trees } }) => {
        const overlay = trees.overlay(trees.head("main"));
        if (typeof content === "string") await overlay.writeFile(path, content);
        else await overlay.writeFileBytes(path, content);
        trees.commit("main", await trees.stage(overlay));
      }),
    read: (path) => inside(({ workspace: { trees } }) => trees.overlay(trees.head("main")).readFile(path)),
    submit: async (input, operationId = "op") => {
      await inside((agent) => agent.sessions.submit("s", input, { operationId }));
    },
    settle: (operationId = "op") => waitUntil(operationId),
    events: () => inside((agent) => agent.sessions.history("s")),
  };
}

/** What is to be done, and when, in milliseconds since the epoch: the alarm is due for the first. */
export function jobsOf({ inside }: Pick<AgentFixture, "inside">): Promise<{ fn: string; time: number }[]> {
  const select = "SELECT fn, time FROM cf_agents_jobs WHERE capability = 'tenrec' ORDER BY time";
  return inside((agent) => agent.ctx.storage.sql.exec<{ fn: string; time: number }>(select).toArray());
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until something is so; throws when it is not after `ms` milliseconds. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${isSo.toString()}`);
    await pause(20);
  }
}

/** The only event of a type, or the last of several. */
export function last<T extends DurableEvent["type"]>(
  events: readonly DurableEvent[],
  type: T,
): Extract<DurableEvent, { type: T }> {
  const found = events.findLast((event) => event.type === type);
  if (!found) throw new Error(`no ${type} among ${events.map((event) => event.type).join(", ")}`);
  return found as Extract<DurableEvent, { type: T }>;
}
