import { TenrecError } from "@tenrec/protocol";
import type { GitAuthor } from "./git-options.ts";

/** What opens one host. */
export interface GitCredential {
  readonly username: string;
  readonly password: string;
}

/**
 * What opens which host, as `URL.host` has it. Ask with `of`; the secrets are in no property, so they are in no JSON of
 * it and no log.
 */
export interface GitCredentials {
  of(host: string): GitCredential | undefined;
  /** The text without any of the secrets. */
  redact(text: string): string;
}

/** A part of a Worker's `env` or of `process.env`. */
export type GitEnvironment = Readonly<Record<string, unknown>>;

const DEFAULT_HOST = "github.com";
/** What servers take as a user name beside a token. */
const TOKEN_USER = "x-access-token";

/**
 * Reads the credentials at an entry point, so that neither the tree nor a model ever sees them:
 *
 * - `GIT_TOKEN`, or `GIT_USERNAME` and `GIT_PASSWORD`, for the host `GIT_HOST` (default `github.com`) alone;
 * - `GIT_TOKENS`, a JSON object from host to token, for more hosts.
 *
 * A host is as `URL.host` has it, with a port that is not the default. `GIT_USERNAME` is used beside every token; the
 * default is `x-access-token`, which GitHub and GitLab take. `not-configured` for what cannot be understood.
 */
export function readGitCredentials(env: GitEnvironment): GitCredentials {
  const text = (name: string): string | undefined => {
    const value = env[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [username, password, token] = [text("GIT_USERNAME"), text("GIT_PASSWORD"), text("GIT_TOKEN")];
  if (password !== undefined && username === undefined) {
    throw new TenrecError("not-configured", { what: "GIT_PASSWORD", how: "Set GIT_USERNAME too." });
  }
  const secrets = readTokens(text("GIT_TOKENS"));
  const main = token ?? password;
  if (main !== undefined) secrets.set(text("GIT_HOST") ?? DEFAULT_HOST, main);
  const user = username ?? TOKEN_USER;
  const hidden = [...secrets.values()].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(`${user}:${secret}`).toString("base64"),
  ]);
  return {
    of(host) {
      const secret = secrets.get(host);
      return secret === undefined ? undefined : { username: user, password: secret };
    },
    redact: (message) => hidden.reduce((rest, secret) => rest.replaceAll(secret, "***"), message),
  };
}

function readTokens(json: string | undefined): Map<string, string> {
  if (json === undefined) return new Map();
  try {
    const entries = Object.entries(JSON.parse(json) as Record<string, unknown>);
    if (entries.every((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "")) {
      return new Map(entries);
    }
  } catch {
    // The parser's own message would have a part of a secret in it.
  }
  throw new TenrecError("not-configured", {
    what: "GIT_TOKENS",
    how: 'It is a JSON object from host to token: {"gitlab.com":"…"}.',
  });
}

/** `GIT_AUTHOR_NAME` and `GIT_AUTHOR_EMAIL`; undefined unless both are set. */
export function readGitAuthor(env: GitEnvironment): GitAuthor | undefined {
  const [name, email] = [env["GIT_AUTHOR_NAME"], env["GIT_AUTHOR_EMAIL"]];
  return typeof name === "string" && typeof email === "string" && name !== "" && email !== ""
    ? { name, email }
    : undefined;
}
