import type { ErrorCode } from "@tenrec/protocol";
import { errorJson } from "@tenrec/protocol";

const STATUS: { readonly [C in ErrorCode]?: number } = {
  ENOENT: 404,
  "session-not-found": 404,
  "operation-not-found": 404,
  "approval-not-found": 404,
  "tree-not-found": 404,
  "git-not-found": 404,
  unauthorized: 401,
  "operation-conflict": 409,
  "session-busy": 409,
  "approval-answered": 409,
  "tree-conflict": 409,
  "git-conflict": 409,
  "git-local-changes": 409,
  "git-push-rejected": 409,
  "prompt-too-large": 413,
  "git-too-large": 413,
  EFBIG: 413,
  ENOSPC: 507,
  "git-unauthorized": 502,
  "git-failed": 502,
  "not-configured": 500,
  internal: 500,
  EIO: 500,
};

/** Any error as a response: its JSON, without a stack, and a status that fits its code. */
export function errorResponse(error: unknown): Response {
  const body = errorJson(error);
  return Response.json({ error: body }, { status: STATUS[body.code] ?? 400 });
}
