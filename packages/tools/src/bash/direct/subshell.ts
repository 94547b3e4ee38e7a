import { subshellCode } from "./endings.ts";
import type { Code, Shell } from "./shell-state.ts";

/** Runs something in a subshell to its end, which is not that of the shell around it. */
export async function runSubshell(shell: Shell, code: Code): Promise<number> {
  try {
    return await code(shell);
  } catch (error) {
    return subshellCode(error);
  }
}
