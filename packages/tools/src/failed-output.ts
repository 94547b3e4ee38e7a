import type { ErrorCode, ToolOutput } from "@tenrec/protocol";
import { errorJson, TenrecError, toModelText } from "@tenrec/protocol";
import { OUTSIDE_WORKSPACE, toModelPath } from "./workspace-path.ts";

/** The answer for anything thrown in a tool: what went wrong and the next call to make, with paths as the model sees them. */
export function failedOutput(error: unknown): ToolOutput {
  return { isError: true, text: toModelText(withModelPath(error)), data: { code: errorJson(error).code } };
}

/** A file system's errors name paths of the tree; a model knows paths of the workspace. */
function withModelPath(error: unknown): unknown {
  const { code, data } = errorJson(error);
  if (data === null || typeof data !== "object" || !("path" in data)) return error;
  const { path, reason } = data as { path: unknown; reason?: unknown };
  if (typeof path !== "string" || !path.startsWith("/") || reason === OUTSIDE_WORKSPACE) return error;
  return rebuild(code, { ...data, path: toModelPath(path) }, error);
}

function rebuild(code: ErrorCode, data: unknown, cause: unknown): TenrecError {
  return new TenrecError(code, data as never, { cause });
}
