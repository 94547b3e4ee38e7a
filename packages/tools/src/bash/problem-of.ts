import { errorJson } from "@tenrec/protocol";
import { toModelPath } from "../workspace-path.ts";
import { failedOutput } from "../failed-output.ts";
import type { CommandOutput } from "./shell-command.ts";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory",
  EISDIR: "Is a directory",
  ENOTDIR: "Not a directory",
  EEXIST: "File exists",
  ENOTEMPTY: "Directory not empty",
  ELOOP: "Too many levels of symbolic links",
  EACCES: "Permission denied",
  EPERM: "Operation not permitted",
  EINVAL: "Invalid argument",
  ENAMETOOLONG: "File name too long",
  EROFS: "Read-only file system",
  EXDEV: "Invalid cross-device link",
  EBUSY: "Device or resource busy",
  EFBIG: "File too large",
  ENOSPC: "No space left on device",
  EIO: "Input/output error",
};

/** An error of the file system in the words of the system. */
export function problemOf(error: unknown): string {
  const errno = errnoOf(error);
  return PROBLEMS[errno ?? ""] ?? messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : errorJson(error).message;
}

/** The name of a POSIX error, or undefined. */
function errnoOf(error: unknown): string | undefined {
  const { code, message, data } = errorJson(error);
  // The tree has one code for all that no path can be.
  if (code === "EINVAL" && /has more than \d+ bytes/.test(`${message} ${JSON.stringify(data)}`)) return "ENAMETOOLONG";
  if (PROBLEMS[code] !== undefined) return code;
  // A file system of just-bash begins its messages with the name and has no other place for it.
  return /^(E[A-Z]+)(?=:)/.exec(messageOf(error))?.[1];
}

/** As bash ends a command that is given too much. */
const LIMIT_CODE = 126;

/**
 * What is seen of a command that threw, instead of reporting a failure itself: errors of the file system in the words of
 * the system, a limit as just-bash says it, and all else with what to do next.
 */
export function failedCommand(error: unknown, name: string): CommandOutput {
  if (error instanceof Error && error.name === "ExecutionLimitError") {
    const text = error.message.startsWith(`${name}: `) ? error.message : `${name}: ${error.message}`;
    return { stderr: `${text}\n`, exitCode: LIMIT_CODE };
  }
  const errno = errnoOf(error);
  const words = PROBLEMS[errno ?? ""];
  // What is not valid is said by the reason alone.
  if (words === undefined || errno === "EINVAL")
    return { stderr: `${name}: ${failedOutput(error).text}\n`, exitCode: 1 };
  const path = pathOf(error);
  return { stderr: `${name}: ${path === undefined ? "" : `${path}: `}${words}\n`, exitCode: 1 };
}

/** The path that an error of a file system is about, as the shell knows it. */
function pathOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const origin = cause instanceof Error && "data" in cause ? cause : error;
  const { data } = errorJson(origin);
  const known = data !== null && typeof data === "object" && "path" in data ? data.path : undefined;
  // Those of the tree have paths of the tree, others what they are shown as.
  if (origin instanceof Error && "data" in origin && typeof known === "string")
    return known.startsWith("/") ? toModelPath(known) : known;
  return /'([^']*)'$/.exec(messageOf(error))?.[1];
}
