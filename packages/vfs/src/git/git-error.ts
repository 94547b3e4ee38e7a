import { TenrecError } from "@tenrec/protocol";
import type { GitContext } from "./context.ts";
import { quote } from "./git-path.ts";
import { withoutSecrets } from "./remote-url.ts";
import { saveOverlay } from "./save-overlay.ts";

/**
 * Runs an operation; what it wrote to `.git` and to the work tree is taken back when it fails. Whatever is thrown becomes a `TenrecError`
 * without a secret in it.
 */
export async function runGit<T>(context: GitContext, what: string, run: () => Promise<T>): Promise<T> {
  const mark = context.files.mark();
  const restore = saveOverlay(context.state);
  context.failure = undefined;
  try {
    const result = await run();
    if (context.failure) throw context.failure;
    return result;
  } catch (error) {
    context.files.reset(mark);
    restore();
    throw context.failure ?? toTenrecError(context, what, error);
  }
}

/** Characters of another's text in an error. */
const MAX_TEXT = 300;

/** What a commit without an author is refused with. */
export function missingAuthor(): TenrecError<"not-configured"> {
  return new TenrecError("not-configured", {
    what: "The author of commits",
    how: "Set GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, or give an author.",
  });
}

/** An error of isomorphic-git. */
export interface LibraryError {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function toTenrecError(context: GitContext, what: string, error: unknown): TenrecError {
  if (error instanceof TenrecError) return error;
  const { code, message, data } = asLibraryError(error);
  const reason = clean(context, message);
  switch (code) {
    case "NotFoundError":
    case "NoCommitError":
    case "CommitNotFetchedError":
      return new TenrecError("git-not-found", { what: clean(context, asText(data["what"], message)) });
    case "UnsafeFilepathError":
      return new TenrecError("git-refused", {
        what: `the path ${quote(asText(data["filepath"], ""))}`,
        reason: "it leads to `.git` or out of the tree",
      });
    case "HttpError":
      return httpError(what, Number(data["statusCode"]));
    case "MissingNameError":
      return missingAuthor();
    case "SmartHttpError":
    case "ParseError":
    case "EmptyServerResponseError":
    case "RemoteCapabilityError":
      return new TenrecError("git-failed", { what, reason: `the server does not answer as a git server: ${reason}` });
    case "MergeConflictError":
      return new TenrecError("git-conflict", { paths: asTexts(data["filepaths"]).map((path) => `/${path}`) });
    case "MergeNotSupportedError":
      return new TenrecError("unsupported", {
        what: 'a merge of a file with a directory, or without a single common ancestor; fetch with depth "full" may help',
        by: "git here",
      });
    default:
      return new TenrecError("git-failed", { what, reason });
  }
}

export function asLibraryError(error: unknown): LibraryError {
  const message = error instanceof Error ? error.message : String(error);
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  return {
    code: typeof code === "string" ? code : "",
    message,
    data: typeof data === "object" && data !== null ? (data as LibraryError["data"]) : {},
  };
}

function httpError(what: string, status: number): TenrecError {
  if (status === 404) return new TenrecError("git-not-found", { what: "repository at this address, or it is private" });
  return new TenrecError("git-failed", { what, reason: `the server answered with status ${status}` });
}

export function asText(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A text of a library or a server: short, without control characters and without secrets. */
export function clean(context: GitContext, text: string): string {
  // Secrets first: one that is cut in two would not be found.
  const redacted = context.options.credentials?.redact(text) ?? text;
  return withoutSecrets(redacted.slice(0, MAX_TEXT * 4))
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT);
}
