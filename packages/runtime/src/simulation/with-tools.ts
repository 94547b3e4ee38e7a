import type { Executor } from "@tenrec/protocol";
import type { CodingTool, CodingTools } from "@tenrec/tools";
import { tool } from "ai";
import { z } from "zod";
import { withTraits } from "../tool-traits.ts";
import type { World } from "./with-world.ts";

const schema = z.looseObject({});

/** Runs a tool of the base set between two waits. */
function slowed(world: World, instance: object, base: CodingTool | undefined): CodingTool {
  if (!base?.execute) throw new Error("no such tool");
  const { execute } = base;
  return {
    ...base,
    execute: async (input: unknown, options) => {
      await world.scheduler.pause(instance, "tool");
      const output: unknown = await execute(input, options);
      await world.scheduler.pause(instance, "tool");
      return output;
    },
  };
}

/** Tools whose effects outside are counted. `publish` asks a person, `nothing` is denied by the policy. */
export function seededTools(world: World, instance: object, base: CodingTools): CodingTools {
  const outside = (name: string) =>
    tool({
      description: name,
      inputSchema: schema,
      execute: async (_input, { toolCallId }) => {
        if (world.chance.is(0.5)) await world.scheduler.pause(instance, name);
        world.effects.push(toolCallId);
        await world.scheduler.pause(instance, name);
        return { text: `${name} is done` };
      },
    });
  const count = tool({
    description: "count",
    inputSchema: schema,
    execute: async () => {
      await world.scheduler.pause(instance, "count");
      return { text: "counted" };
    },
  });
  const trap = tool({
    description: "trap",
    inputSchema: schema,
    execute: async (_input, { toolCallId }) => {
      await world.scheduler.pause(instance, "trap");
      world.traps.push(toolCallId);
      if (world.mayKill) world.kill("trap");
      return { text: "survived" };
    },
  });
  const { write, read, bash } = base;
  return {
    write: slowed(world, instance, write),
    read: slowed(world, instance, read),
    bash: slowed(world, instance, bash),
    count: withTraits(count, { replay: "pure", permission: "read" }),
    trap: withTraits(trap, { replay: "pure", permission: "read" }),
    deploy: withTraits(outside("deploy"), { replay: "unsafe", permission: "read" }),
    publish: withTraits(outside("publish"), { replay: "unsafe", permission: "network" }),
    nothing: withTraits(outside("nothing"), { replay: "unsafe", permission: "execute" }),
  };
}

/** An executor whose commands are effects outside. */
export function seededExecutor(world: World, instance: object): Executor {
  return {
    name: "seeded",
    accepts: () => true,
    async *exec(_command, { operationId, fs, signal }) {
      world.effects.push(operationId.replace(/^[^/]*\//, ""));
      for (const word of ["one ", "two "]) {
        await world.scheduler.pause(instance, "command");
        signal.throwIfAborted();
        yield { type: "stdout", bytes: new TextEncoder().encode(word) };
      }
      await fs.writeFile(`/built-${world.chance.below(3)}.txt`, operationId);
      yield { type: "exit", code: 0 };
    },
  };
}
