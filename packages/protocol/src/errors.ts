import type { Json } from "./json.ts";
import type { PermissionClass } from "./tool.ts";

/**
 * Every way in which Tenrec refuses or fails, with the fields that its `data` carries.
 * Codes in capitals are those of POSIX `errno`, so that code written for `node:fs` understands them.
 */
export interface ErrorData {
  ENOENT: { path: string };
  EEXIST: { path: string };
  EISDIR: { path: string };
  ENOTDIR: { path: string };
  ENOTEMPTY: { path: string };
  ELOOP: { path: string };
  EINVAL: { path: string; reason: string };
  /** A path that leaves the tree, or a place that may not be written. */
  EACCES: { path: string; reason: string };
  /** Bytes that should be there cannot be read. Never answered with empty content instead. */
  EIO: { path: string; reason: string };
  /** A file larger than the store or the caller allows; sizes in bytes. */
  EFBIG: { path: string; size: number; limit: number };
  /** Storage, or an overlay's byte budget, is full. */
  ENOSPC: { used: number; limit: number };
  /** What would be overwritten was not read in this session. */
  "file-unread": { path: string };
  /** It is not as it was when it was read in this session. */
  "file-changed": { path: string };
  /** Another commit changed the same paths after this overlay was pinned. */
  "tree-conflict": { paths: readonly string[] };
  "tree-not-found": { tree: string };

  /** What a repository, a server or a URL asks for and is never done, such as a path into `.git`. */
  "git-refused": { what: string; reason: string };
  /** There is no such repository, remote, branch, commit or path in it. */
  "git-not-found": { what: string };
  /** More bytes, or objects that become more bytes, than one answer of a server may have. */
  "git-too-large": { what: string; size?: number; limit: number };
  /** Files that were changed on both sides of a merge. */
  "git-conflict": { paths: readonly string[] };
  /** Changes of the work tree that are in no commit and would be lost. */
  "git-local-changes": { paths: readonly string[] };
  /** The server has something else at this ref than what the push stands on, or does not want it. */
  "git-push-rejected": { ref: string; reason: string };
  "git-unauthorized": { url: string; needs: string };
  "git-failed": { what: string; reason: string };

  "prompt-empty": Record<string, never>;
  "prompt-too-large": { bytes: number; limit: number };
  "request-invalid": { reason: string };
  "session-not-found": { session: string };
  "operation-not-found": { session: string; operationId: string };
  /** The id was used before with other input. */
  "operation-conflict": { operationId: string };
  /** `whenBusy: "reject"` while a turn runs or waits. */
  "session-busy": { session: string };
  /** A moment that the session never had, or that was taken back. */
  "point-not-found": { session: string; point: string };
  /** Others changed these files after what is to be taken back. */
  "undo-conflict": { session: string; paths: readonly string[] };
  "approval-not-found": { approvalId: string };
  "approval-answered": { approvalId: string };
  /** The answer is for other arguments than those that are asked about. */
  "approval-mismatch": { approvalId: string };
  /** Raised inside a tool call: the call waits for a person. Never shown to a model. */
  "approval-required": { permission: PermissionClass; detail: string };
  "permission-denied": { permission: PermissionClass; detail: string };

  "tool-unknown": { tool: string; known: readonly string[] };
  "tool-input-invalid": { tool: string; reason: string };
  "tool-failed": { tool: string; reason: string };
  /** A tool call was cut off and may have had an effect outside the tree. */
  "tool-interrupted": { tool: string };
  /** Its arguments contain what stands in for a secret. */
  "secret-redacted": { tool: string; mark: string };

  "model-unknown": { model: string; known: readonly string[] };
  "model-not-configured": { model: string; needs: string };
  "model-failed": { model: string; status?: number; reason: string };
  /** `unit` says whose it is too, such as "dollars of the session". */
  "budget-exceeded": { unit: string; spent: number; limit: number };

  /** A preview, or a version of its app, that was never opened or is not open any more. */
  "preview-not-found": { preview: string };

  /** An address that is never reached, whatever the policy says; `reason` says what is wrong with it. */
  "egress-refused": { url: string; reason: string };
  /** Nobody answered, the connection broke, or there were too many redirects, so many. */
  "fetch-failed": { url: string; reason: string; redirects?: number };
  /** `limit` in bytes. */
  "response-too-large": { url: string; limit: number };

  /** No registry has it, or none of its versions is in the range; `newest` is the one that the registry calls latest. */
  "package-not-found": { package: string; registry?: string; newest?: string };
  /** Other bytes than those that are wanted, or what is no package. */
  "package-damaged": { package: string; reason: string };
  "package-too-large": { package: string; limit: number };
  "registry-unauthorized": { package: string; registry: string };
  "registry-failed": { package: string; registry: string; reason: string };

  /** An optional method of a port was asked for that this implementation leaves out. */
  unsupported: { what: string; by: string };
  unauthorized: { reason: string };
  /** Who asks is known, and may not do this. */
  forbidden: { what: string; role: string };
  /** Nobody answers at an address. */
  unreachable: { url: string };
  "not-configured": { what: string; how: string };
  aborted: { reason: string };
  timeout: { what: string; ms: number };
  /** A defect of Tenrec itself. */
  internal: { reason: string };
}

export type ErrorCode = keyof ErrorData;

type Prose = { readonly [C in ErrorCode]: (data: ErrorData[C]) => string };

const PROSE: Prose = {
  ENOENT: (d) => `No such file or directory: ${d.path}`,
  EEXIST: (d) => `Already exists: ${d.path}`,
  EISDIR: (d) => `Is a directory: ${d.path}`,
  ENOTDIR: (d) => `Not a directory: ${d.path}`,
  ENOTEMPTY: (d) => `Directory not empty: ${d.path}`,
  ELOOP: (d) => `Too many symbolic links: ${d.path}`,
  EINVAL: (d) => `Invalid path or argument for ${d.path}: ${d.reason}`,
  EACCES: (d) => `Not allowed: ${d.path}: ${d.reason}`,
  EIO: (d) => `Cannot read ${d.path}: ${d.reason}`,
  EFBIG: (d) => `File too large: ${d.path} has ${d.size} bytes, the limit is ${d.limit}`,
  ENOSPC: (d) => `No space left: ${d.used} bytes wanted, the limit is ${d.limit}`,
  "file-unread": (d) => `Not read yet, so not overwritten: ${d.path}`,
  "file-changed": (d) => `Changed since it was read: ${d.path}`,
  "tree-conflict": (d) => `Changed by somebody else at the same time: ${d.paths.join(", ")}`,
  "tree-not-found": (d) => `No such tree: ${d.tree}`,
  "git-refused": (d) => `Refused ${d.what}: ${d.reason}. Nothing was changed.`,
  "git-not-found": (d) => `Git has no ${d.what}.`,
  "git-too-large": (d) =>
    `Too large for git here: ${d.what} has ${d.size === undefined ? "more bytes than the limit" : `${d.size} bytes, the limit is`} ${d.limit}. Take less with depth 1 and a single branch, or use git in a container.`,
  "git-conflict": (d) => `Changed on both sides: ${d.paths.join(", ")}. Nothing was merged.`,
  "git-local-changes": (d) => `Not committed and would be lost: ${d.paths.join(", ")}. Commit them first, or force it.`,
  "git-push-rejected": (d) => `Push to ${d.ref} was rejected: ${d.reason}. The server has what it had.`,
  "git-unauthorized": (d) => `${d.url} does not let us in. It needs ${d.needs}.`,
  "git-failed": (d) => `Git failed: ${d.what}: ${d.reason}`,
  "prompt-empty": () => "The prompt is empty. Say what the agent should do.",
  "prompt-too-large": (d) =>
    `The prompt has ${d.bytes} bytes, the limit is ${d.limit}. Put large text into a file of the workspace and name the file.`,
  "request-invalid": (d) => `The request is not valid: ${d.reason}`,
  "session-not-found": (d) => `No such session: ${d.session}. List the sessions, or create one.`,
  "operation-not-found": (d) =>
    `No operation ${d.operationId} in session ${d.session}. Submit it, or read the session's history.`,
  "operation-conflict": (d) =>
    `Operation ${d.operationId} was submitted before with other input. Use a new operation id for new input.`,
  "session-busy": (d) => `Session ${d.session} is busy. Wait for it, abort it, or submit as a follow-up.`,
  "point-not-found": (d) =>
    `Session ${d.session} has no ${d.point} to go back to, or it was taken back. Read its history.`,
  "undo-conflict": (d) =>
    `Others changed since what session ${d.session} changed: ${d.paths.join(", ")}. Nothing was taken back; force overwrites theirs.`,
  "approval-not-found": (d) => `No approval ${d.approvalId} is waiting for an answer. Ask for the pending ones.`,
  "approval-answered": (d) =>
    `Approval ${d.approvalId} was answered before, or its turn was stopped. Nothing was changed.`,
  "approval-mismatch": (d) =>
    `The answer to approval ${d.approvalId} is for other arguments than those of the call. Look at the pending one again.`,
  "approval-required": (d) => `Needs approval (${d.permission}): ${d.detail}`,
  "permission-denied": (d) => `Not permitted (${d.permission}): ${d.detail}`,
  "tool-unknown": (d) => `There is no tool "${d.tool}". The tools are: ${d.known.join(", ")}.`,
  "tool-input-invalid": (d) => `The arguments of ${d.tool} are not valid: ${d.reason}`,
  "tool-failed": (d) => `${d.tool} failed: ${d.reason}`,
  "tool-interrupted": (d) =>
    `${d.tool} was interrupted and its outcome is unknown. Check what it changed before calling it again.`,
  "secret-redacted": (d) =>
    `${d.tool} was not run: its arguments have a secret in them, or "${d.mark}", which stands for one. Secrets are not stored.`,
  "model-unknown": (d) => `Unknown model "${d.model}". Known forms: ${d.known.join(", ")}.`,
  "model-not-configured": (d) => `Model "${d.model}" needs ${d.needs}.`,
  "model-failed": (d) => `Model "${d.model}" failed${d.status ? ` with status ${d.status}` : ""}: ${d.reason}`,
  "budget-exceeded": (d) => `Budget used up: ${d.spent} of ${d.limit} ${d.unit}. Raise the agent's budget to go on.`,
  "preview-not-found": (d) => `No such preview, or not any more: ${d.preview}. Open it again.`,
  "egress-refused": (d) => `Not reached: ${d.url}: ${d.reason}.`,
  "fetch-failed": (d) => `No answer from ${d.url}: ${d.reason}.`,
  "response-too-large": (d) => `The answer of ${d.url} has more than ${d.limit} bytes.`,
  "package-not-found": (d) =>
    `There is no package ${d.package}${d.registry === undefined ? "" : ` at ${d.registry}`}.${d.newest === undefined ? "" : ` Its newest version is ${d.newest}.`}`,
  "package-damaged": (d) => `The package ${d.package} was refused: ${d.reason}.`,
  "package-too-large": (d) => `The package ${d.package} has more than ${d.limit} bytes.`,
  "registry-unauthorized": (d) =>
    `${d.registry} does not give ${d.package} to everybody. Put a token for it into .npmrc, or take a public package.`,
  "registry-failed": (d) => `${d.registry} did not give ${d.package}: ${d.reason}.`,
  unsupported: (d) => `${d.by} does not support ${d.what}.`,
  unauthorized: (d) => `Not authorized: ${d.reason}`,
  forbidden: (d) => `Not allowed for a ${d.role}: ${d.what}`,
  unreachable: (d) => `Nobody answers at ${d.url}. Check the address, and that the agent is running there.`,
  "not-configured": (d) => `${d.what} is not configured. ${d.how}`,
  aborted: (d) => `Stopped: ${d.reason}`,
  timeout: (d) => `${d.what} took longer than ${d.ms} ms.`,
  internal: (d) => `Internal error: ${d.reason}`,
};

/** What an error looks like in a journal, on a socket and in an HTTP body. */
export interface ErrorJson {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Json;
}

/**
 * The one error class. Match on `code`: the class is lost over Durable Object RPC, `code` and `data` are not.
 * Call sites give data; the prose is built here.
 */
export class TenrecError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "TenrecError";
  readonly code: C;
  readonly data: ErrorData[C];

  constructor(code: C, data: ErrorData[C], options?: ErrorOptions) {
    super(PROSE[code](data), options);
    this.code = code;
    this.data = data;
  }
}

/** True for a `TenrecError` of this code, also after it crossed an RPC boundary. */
export function hasCode<C extends ErrorCode>(
  error: unknown,
  code: C,
): error is Error & { readonly code: C; readonly data: ErrorData[C] } {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Codes whose data is a path, perhaps with a reason: all that an error of another make can be asked for. */
const PATH_CODES: readonly string[] = [
  "ENOENT",
  "EEXIST",
  "EISDIR",
  "ENOTDIR",
  "ENOTEMPTY",
  "ELOOP",
  "EINVAL",
  "EACCES",
  "EIO",
] satisfies ErrorCode[];

function dataOf(code: string, error: Error): Json | undefined {
  if (!Object.hasOwn(PROSE, code)) return undefined;
  if ("data" in error && typeof error.data === "object" && error.data !== null) return error.data as Json;
  if (!PATH_CODES.includes(code)) return undefined;
  const path = "path" in error && typeof error.path === "string" ? error.path : "the path";
  return { path, reason: error.message };
}

/**
 * The JSON form of anything thrown. An error of another make with a POSIX code, such as Node's, keeps its code; what is
 * neither that nor a `TenrecError` becomes `internal`. Never has a stack.
 */
export function errorJson(error: unknown): ErrorJson {
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    const data = dataOf(error.code, error);
    if (data !== undefined) return { code: error.code as ErrorCode, message: error.message, data };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "internal", message: PROSE.internal({ reason }), data: { reason } };
}

/** The error that a JSON form stands for. A code that this version does not know becomes `internal`, its message kept. */
export function errorFromJson({ code, message, data }: ErrorJson): TenrecError {
  if (!Object.hasOwn(PROSE, code)) return new TenrecError("internal", { reason: message });
  return new TenrecError(code, data as unknown as ErrorData[ErrorCode]);
}
