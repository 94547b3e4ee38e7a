import type { FileSystem } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { INSTRUCTION_FILES } from "./system-prompt.ts";
import type { Redactor } from "./redaction/redactor.ts";

/** The project's instructions for agents, without secrets, from the tree that a turn started with. */
export type Instructions = (tree: string) => Promise<string | undefined>;

interface InstructionPorts {
  readonly trees: { overlay(tree: string): Pick<FileSystem, "readFile"> };
  readonly redactor: Pick<Redactor, "text">;
}

/** Remembers those of the newest tree: all steps of a turn have the same. */
export function projectInstructions({ trees, redactor }: InstructionPorts): Instructions {
  let newest: { readonly tree: string; readonly text: string | undefined } | undefined;
  return async (tree) => {
    if (newest?.tree === tree) return newest.text;
    const project = await readInstructions(trees.overlay(tree));
    const text = project === undefined ? undefined : redactor.text(project);
    newest = { tree, text };
    return text;
  };
}

/** Undefined when the project has none. */
async function readInstructions(fs: Pick<FileSystem, "readFile">): Promise<string | undefined> {
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
