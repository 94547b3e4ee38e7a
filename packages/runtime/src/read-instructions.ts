import type { FileSystem } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { INSTRUCTION_FILES } from "./system-prompt.ts";

/** The project's instructions for agents, from the tree that a turn started with; undefined when it has none. */
export async function readInstructions(fs: FileSystem): Promise<string | undefined> {
  for (const path of INSTRUCTION_FILES) {
    try {
      return await fs.readFile(path);
    } catch (error) {
      // A folder or a broken link of that name is no instruction.
      if (!hasCode(error, "ENOENT") && !hasCode(error, "EISDIR") && !hasCode(error, "ELOOP")) throw error;
    }
  }
  return undefined;
}
