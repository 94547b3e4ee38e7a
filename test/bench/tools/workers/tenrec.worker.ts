import type { ToolOutput } from "@tenrec/protocol";
import { type CodingTools, createTools } from "@tenrec/tools";
import { createSearch, type Overlay, TreeStore } from "@tenrec/vfs";
import { DurableObject } from "cloudflare:workers";
import type { Task } from "../work.ts";
import { answer, type Env, forwardToObject, type ToolSubject } from "./tool-object.ts";

/** `@tenrec/tools` over `@tenrec/vfs`: tools for each call, over an overlay that is committed afterwards. */
export class Subject extends DurableObject<Env> {
  readonly #subject: ToolSubject = subjectOf(new TreeStore(this.ctx.storage));

  override fetch(request: Request): Promise<Response> {
    return answer(this.#subject, request);
  }
}

const below = (path: string): string => path.replace("/workspace", "");

function subjectOf(trees: TreeStore): ToolSubject {
  const seen = new Map<string, string>();
  if (!hasHead(trees)) trees.setHead("main", trees.emptyTree);
  const commit = async (overlay: Overlay): Promise<void> => void trees.commit("main", await trees.stage(overlay));
  return {
    async importFiles(files) {
      const overlay = trees.overlay(trees.head("main"));
      for (const { path, text } of files) await overlay.writeFile(below(path), text);
      await commit(overlay);
    },
    async run(task) {
      const fs = trees.overlay(trees.head("main"));
      const tools = createTools({
        fs,
        search: createSearch(fs),
        gate: { require() {} },
        outputs: { save: () => "", read: () => undefined },
        seen: { last: (path) => seen.get(path), see: (path, hash) => void seen.set(path, hash) },
        changed: () => [],
        executors: [],
        operationId: "",
      });
      const { text, isError } = await call(tools, task);
      if (isError) throw new Error(text);
      if (task.kind !== "read" && task.kind !== "grep" && task.kind !== "glob") await commit(fs);
      return shown(task, text);
    },
    readText: (path) => trees.overlay(trees.head("main")).readFile(below(path)),
  };
}

function hasHead(trees: TreeStore): boolean {
  try {
    return trees.head("main") !== "";
  } catch {
    return false;
  }
}

async function call(tools: CodingTools, task: Task): Promise<ToolOutput> {
  const [name, input] = callOf(task);
  const output: unknown = await tools[name]?.execute?.(input, { toolCallId: "call", messages: [], context: {} });
  if (output === undefined) throw new Error(`there is no tool ${name}`);
  return output as ToolOutput;
}

function callOf(task: Task): [name: string, input: object] {
  switch (task.kind) {
    case "read":
      return ["read", { path: task.path }];
    case "write":
      return ["write", { path: task.path, content: task.text }];
    case "edit":
      return ["edit", { path: task.path, edits: task.edits }];
    case "grep":
      return ["grep", { pattern: task.text, literal: true, all: true, limit: 500 }];
    case "glob":
      return ["glob", { pattern: `*${task.ending}`, all: true, limit: 500 }];
    case "bash":
      return ["bash", { command: task.command }];
    case "patch":
      return ["apply_patch", { patch: patchOf(task) }];
  }
}

function patchOf({ files }: Extract<Task, { kind: "patch" }>): string {
  const updates = files.map(
    ({ path, edit }) => `*** Update File: ${path.replace("/workspace/", "")}\n@@\n-${edit.oldText}\n+${edit.newText}`,
  );
  return ["*** Begin Patch", ...updates, "*** End Patch"].join("\n");
}

function shown({ kind }: Task, text: string): string {
  const lines = text.split("\n");
  switch (kind) {
    case "read":
      return lines.map((line) => line.slice(line.indexOf("\t") + 1)).join("\n");
    case "grep":
      return lines
        .map((line) => `/workspace/${line.split(":").slice(0, 2).join(":")}`)
        .toSorted()
        .join("\n");
    case "glob":
      return lines
        .map((line) => `/workspace/${line}`)
        .toSorted()
        .join("\n");
    case "bash":
      return text;
    default:
      return "";
  }
}

export default { fetch: forwardToObject };
