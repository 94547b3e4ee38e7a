import type { Gate } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import type { CodingTools, PreviewPort } from "@tenrec/tools";
import { createEgress, createTools } from "@tenrec/tools";
import { createSearch } from "@tenrec/vfs";
import type { Workspace } from "./workspace.ts";

const NO_PREVIEW: PreviewPort = {
  fetch: () => Promise.reject(new TenrecError("unsupported", { what: "being run", by: "a tool that is described" })),
  news: () => [],
  explained: () => Promise.resolve(),
};

/** The agent's tools for being described to a model. They work on an empty tree and are never run. */
export function describedTools(workspace: Workspace): CodingTools {
  const { trees, config } = workspace;
  const overlay = trees.overlay(trees.emptyTree);
  const gate: Gate = {
    require: ({ permission, detail }) => {
      throw new TenrecError("permission-denied", { permission, detail });
    },
  };
  return config.tools(
    createTools({
      fs: overlay,
      search: createSearch(overlay),
      gate,
      egress: createEgress({ gate }),
      ...(config.previews ? { preview: NO_PREVIEW } : {}),
      changed: () => [],
      seen: { last: () => undefined, see: () => undefined },
      outputs: { save: () => "", read: () => undefined },
      executors: config.executors,
      operationId: "",
    }),
  );
}
