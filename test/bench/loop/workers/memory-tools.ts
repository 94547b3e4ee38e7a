import type { FileSystem, Search } from "@tenrec/protocol";
import { memoryFileSystem } from "@tenrec/testkit";
import { type CodingTools, createTools } from "@tenrec/tools";
import type { TurnSubject } from "./turn-object.ts";

/** The system prompt of the peers that have none of their own. */
export const SYSTEM = "You are a coding agent. You work on the project in /workspace until the user's request is done.";

/** Never called: nothing in a turn searches. */
const noSearch: Search = {
  grepContent() {
    throw new Error("there is no search");
  },
  grep() {
    throw new Error("there is no search");
  },
  glob() {
    throw new Error("there is no search");
  },
};

/** Tenrec's tools over any tree. */
export function toolsOver(fs: FileSystem): CodingTools {
  const seen = new Map<string, string>();
  return createTools({
    fs,
    search: noSearch,
    gate: { require() {} },
    seen: { last: (path) => seen.get(path), see: (path, hash) => void seen.set(path, hash) },
    changed: () => [],
    outputs: { save: () => "", read: () => undefined },
    executors: [],
    operationId: "",
  });
}

/** A tree in memory with Tenrec's tools over it, for peers that have no files of their own. */
export function memoryWorkspace(): { readonly tools: CodingTools } & Pick<TurnSubject, "importFiles" | "readText"> {
  const fs = memoryFileSystem();
  const below = (path: string): string => path.replace("/workspace", "");
  return {
    tools: toolsOver(fs),
    async importFiles(files) {
      for (const { path, text } of files) await fs.writeFile(below(path), text);
    },
    readText: (path) => fs.readFile(below(path)),
  };
}
