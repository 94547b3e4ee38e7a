import type { FileSystem, ToolOutput } from "@tenrec/protocol";
import { type Overlay, TreeStore, createSearch } from "@tenrec/vfs";
import type { CodingTools } from "./coding-tool.ts";
import type { ToolPorts } from "./tool-ports.ts";
import { createTools } from "./tool-set.ts";
import { createEgress } from "./web/egress.ts";
import { withStorage } from "./with-storage.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Tools over a tree of the real store, as the runtime makes them for one call. */
export interface TestTools {
  readonly fs: Overlay;
  readonly tools: CodingTools;
  readonly saved: Map<string, string>;
  /** Calls a tool as the AI SDK does. */
  call(name: string, input: unknown, signal?: AbortSignal): Promise<ToolOutput>;
  /** Commits, and gives the root hash. */
  commit(): Promise<string>;
  /** The same tree as it was at first, nothing of this call's changes in it. */
  again(ports?: Partial<ToolPorts>): TestTools;
}

/** Runs a test on tools over these files. */
export function withTools<T>(
  files: Files,
  run: (test: TestTools) => Promise<T>,
  ports: Partial<ToolPorts> = {},
): Promise<T> {
  return withStorage(async (storage) => {
    const store = new TreeStore(storage, { now: () => 0 });
    store.setHead("main", store.emptyTree);
    const first = store.overlay(store.emptyTree);
    for (const [path, content] of Object.entries(files)) await put(first, path, content);
    const { tree } = store.commit("main", await store.stage(first));
    return run(open(store, tree, ports));
  });
}

function open(store: TreeStore, tree: string, ports: Partial<ToolPorts>): TestTools {
  const fs = store.overlay(tree);
  const saved = new Map<string, string>();
  const seen = new Map<string, string>();
  const tools = createTools({ ...defaults(fs, saved, seen), ...ports });
  return {
    fs,
    tools,
    saved,
    call: (name, input, signal) => callTool(tools, name, input, signal),
    commit: async () => {
      store.setHead("main", tree);
      return store.commit("main", await store.stage(fs)).tree;
    },
    again: (other = ports) => open(store, tree, other),
  };
}

function defaults(fs: Overlay, saved: Map<string, string>, seen: Map<string, string>): ToolPorts {
  return {
    fs,
    search: createSearch(fs),
    gate: { require: () => undefined },
    outputs: {
      save: (text) => {
        const path = `/output/${saved.size + 1}`;
        saved.set(path, text);
        return path;
      },
      read: (path) => saved.get(path),
    },
    changed: () => fs.changes().map(({ path }) => path),
    seen: {
      last: (path) => seen.get(path),
      see: (path, hash) => void seen.set(path, hash),
    },
    egress: createEgress({ gate: { require: () => undefined }, fetch: async () => new Response("from the web") }),
    executors: [],
    operationId: "operation-1",
  };
}

export async function callTool(
  tools: CodingTools,
  name: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<ToolOutput> {
  const execute = tools[name]?.execute;
  if (!execute) throw new Error(`no tool ${name}`);
  const options = { toolCallId: "call-1", messages: [], context: {}, ...(signal ? { abortSignal: signal } : {}) };
  return (await execute(input, options)) as ToolOutput;
}

async function put(fs: FileSystem, path: string, content: string | Uint8Array): Promise<void> {
  await (typeof content === "string" ? fs.writeFile(path, content) : fs.writeFileBytes(path, content));
}
