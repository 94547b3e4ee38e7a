import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What tests are given; `url` is empty on a machine without git. */
export interface GitServerInfo {
  readonly url: string;
  readonly host: string;
}

/** What a test asks the server to run: `git` with these arguments in a repository of its own. */
export interface GitCommand {
  readonly repository: string;
  readonly args: readonly string[];
  /** Base64. */
  readonly input?: string;
  /** Written into the repository first: its own files by name, in Base64. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Who may enter repositories whose name begins with `private`. */
export const PRIVATE_USER = "robot";
export const PRIVATE_PASSWORD = "correct-horse-battery";

/** No settings of the machine, and one author and time, so that commits are the same everywhere. */
const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_COMMITTER_DATE: "1700000000 +0000",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_CONFIG_KEY_1: "http.receivepack",
  GIT_CONFIG_VALUE_1: "true",
};

/** Git's own server, and a way to prepare and look at its repositories. */
export async function startGitServer(): Promise<{ info: GitServerInfo; close: () => Promise<void> }> {
  const backend = findBackend();
  if (backend === undefined) return { info: { url: "", host: "" }, close: async () => {} };
  const root = mkdtempSync(join(tmpdir(), "tenrec-git-"));
  const server = createServer((request, response) => {
    const handled = request.url === "/-/git" ? runCommand(root, request) : serve(root, backend, request, response);
    handled.then(
      (body) => body !== undefined && response.end(body),
      (error: unknown) => {
        response.statusCode = 500;
        response.end(error instanceof Error && "stderr" in error ? String(error.stderr) : String(error));
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    info: { url: `http://${host}`, host },
    close: async () => {
      await closeServer(server);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

function findBackend(): string | undefined {
  try {
    const path = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function runCommand(root: string, request: IncomingMessage): Promise<Buffer> {
  const { repository, args, input, files = {} } = JSON.parse((await readBody(request)).toString()) as GitCommand;
  const folder = join(root, repository);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", folder], { env: ENVIRONMENT });
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.from(content, "base64"));
  }
  return execFileSync("git", ["--git-dir", folder, ...args], {
    env: ENVIRONMENT,
    input: Buffer.from(input ?? "", "base64"),
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

// The Common Gateway Interface, RFC 3875: variables and a body go in, a header and a body come out.
async function serve(
  root: string,
  backend: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<undefined> {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const expected = `Basic ${Buffer.from(`${PRIVATE_USER}:${PRIVATE_PASSWORD}`).toString("base64")}`;
  if (pathname.startsWith("/private") && request.headers.authorization !== expected) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' });
    response.end("no");
    return;
  }
  const body = await readBody(request);
  const child = spawn(backend, {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method ?? "GET",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      REMOTE_USER: PRIVATE_USER,
    },
  });
  child.stdin.on("error", () => {});
  child.stdin.end(body);
  const output: Buffer[] = [];
  for await (const piece of child.stdout) output.push(piece as Buffer);
  const all = Buffer.concat(output);
  const split = all.indexOf("\r\n\r\n");
  for (const line of all.toString("latin1", 0, split).split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.end(all.subarray(split + 4));
}
