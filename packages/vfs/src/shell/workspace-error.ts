import { type ErrorCode, TenrecError } from "@tenrec/protocol";

/** Codes whose data is a path alone. */
const PATH_CODES = ["ENOENT", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY", "ELOOP"] as const satisfies ErrorCode[];

/**
 * The typed form of what a workspace threw: its messages begin with a code. A row that SQLite refuses for its size is
 * `EFBIG`; what says nothing that is known is `EIO`.
 */
export function workspaceError(error: unknown, path: string, size = 0): TenrecError {
  if (error instanceof TenrecError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = /^(E[A-Z]+): /.exec(reason)?.[1];
  const known = PATH_CODES.find((candidate) => candidate === code);
  const cause = { cause: error };
  if (known) return new TenrecError(known, { path }, cause);
  if (code === "EINVAL" || code === "ENAMETOOLONG") return new TenrecError("EINVAL", { path, reason }, cause);
  if (code === "EPERM") return new TenrecError("EACCES", { path, reason }, cause);
  if (/SQLITE_TOOBIG|string or blob too big/.test(reason)) {
    return new TenrecError("EFBIG", { path, size, limit: ROW_BYTES }, cause);
  }
  return new TenrecError("EIO", { path, reason }, cause);
}

/** What one row takes; a content that is not text needs a third more. */
const ROW_BYTES = 2 * 1024 * 1024;
