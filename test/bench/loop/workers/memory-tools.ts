import type { FileSystem, Search } from "@tenrec/protocol";
import { memoryFileSystem } from "@tenrec/testkit";
import { type CodingTools, createTools } from "@tenrec/tools";
import { grepContent } from "@tenrec/vfs";
import type { TurnSubject } from "./turn-object.ts";

/** The system prompt of the peers that have none of their own. */
export const SYSTEM = "You are a coding agent. You work on the project in /workspace until the user's request is done.";

/** Files that are named are all that a turn searches. */
function searchIn(fs: FileSystem): Search {
  return {
    grepContent,
    async *grep({ path = [], ...query }, signal) {
      for (const file of [path].flat()) {
        for await (const event of grepContent(await fs.readFileBytes(file), file, query, signal)) {
          if (event.type === "file") yield event;
        }
      }
    },
    glob() {
      throw new Error("a turn lists no files");
    },
  };
}

/** Tenrec's tools over any tree. */
export function toolsOver(fs: FileSystem): CodingTools {
  return createTools({
    fs,
    search: searchIn(fs),
    gate: { require() {} },
    outputs: { save: () => "", read: () => undefined },
    // No turn overwrites a file.
    seen: { last: () => undefined, see() {} },
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
