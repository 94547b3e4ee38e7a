import { hasCode } from "@tenrec/protocol";
import { inject } from "vitest";
import type { Overlay } from "../overlay/overlay.ts";
import type { StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { createGit, type Git } from "./create-git.ts";
import type { GitOptions } from "./git-options.ts";
import { GitStore } from "./git-store.ts";
import type { GitCommand } from "./with-http-backend.ts";

const server = inject("gitServer");

/** False on a machine without git: tests against its server are skipped then, and counted as that. */
export const hasGitServer: boolean = server.url !== "";
export const gitHost: string = server.host;

export const AUTHOR = { name: "Ada", email: "ada@example.com" };
/** The time of every commit, in milliseconds. */
export const NOW = 1_700_000_000_000;

let counted = 0;

/** A repository of its own on git's server. */
export interface ServerRepository {
  readonly name: string;
  readonly url: string;
  /** Runs the real git in it. */
  git(args: readonly string[], input?: string | Uint8Array): Promise<string>;
  /** Puts files into it as they are, such as those of one of ours. */
  put(files: Readonly<Record<string, Uint8Array>>): Promise<void>;
  /** A commit of these files on a branch, with the real git. Its id. */
  commit(
    files: Readonly<Record<string, string | Uint8Array>>,
    options?: { branch?: string; message?: string },
  ): Promise<string>;
}

export async function serverRepository(prefix = "public"): Promise<ServerRepository> {
  const name = `${prefix}-${counted++}-${crypto.randomUUID()}.git`;
  const send = async (command: Omit<GitCommand, "repository">): Promise<string> => {
    const body = JSON.stringify({ repository: name, ...command } satisfies GitCommand);
    const response = await fetch(`${server.url}/-/git`, { method: "POST", body });
    const text = await response.text();
    if (!response.ok) throw new Error(`git ${command.args.join(" ")}: ${text}`);
    return text;
  };
  const git: ServerRepository["git"] = (args, input) =>
    send({ args, ...(input === undefined ? {} : { input: Buffer.from(input as string).toString("base64") }) });
  const put: ServerRepository["put"] = async (files) => {
    const encoded = Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]);
    await send({ args: ["version"], files: Object.fromEntries(encoded) });
  };
  const commit: ServerRepository["commit"] = async (files, { branch = "main", message = "change" } = {}) => {
    const stream: Uint8Array[] = [];
    const line = (text: string): unknown => stream.push(Buffer.from(`${text}\n`));
    line(`commit refs/heads/${branch}`);
    line("committer Ada <ada@example.com> 1700000000 +0000");
    line(`data ${Buffer.byteLength(message)}\n${message}`);
    const parent = await git(["rev-parse", "-q", "--verify", `refs/heads/${branch}`]).catch(() => "");
    if (parent) line(`from ${parent.trim()}`);
    for (const [path, content] of Object.entries(files)) {
      const bytes = Buffer.from(content as string);
      line(`M 100644 inline ${path}\ndata ${bytes.length}`);
      stream.push(bytes);
      line("");
    }
    await git(["fast-import", "--quiet", "--force"], Buffer.concat(stream));
    return (await git(["rev-parse", `refs/heads/${branch}`])).trim();
  };
  await git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
  return { name, url: `${server.url}/${name}`, git, put, commit };
}

/** A tree and a repository in one storage, as an object has them; `call` is what a tool call is. */
export interface Workspace {
  readonly tree: TreeStore;
  readonly store: GitStore;
  /** Runs operations on a fresh overlay, then commits tree and repository together. */
  call<T>(run: (git: Git, overlay: Overlay) => Promise<T>, options?: Partial<GitOptions>): Promise<T>;
  /** What every ref is, by name. */
  refs(): Readonly<Record<string, string>>;
  files(): Promise<Readonly<Record<string, string>>>;
  /** Everything in `.git`. */
  gitFiles(): Readonly<Record<string, Uint8Array>>;
}

const decoder = new TextDecoder();

export function openWorkspace(storage: StorageLike, head = "main"): Workspace {
  const now = (): number => NOW;
  const tree = new TreeStore(storage, { now });
  const store = new GitStore(storage, { now });
  try {
    tree.head(head);
  } catch (error) {
    if (!hasCode(error, "tree-not-found")) throw error;
    tree.setHead(head, tree.emptyTree);
  }
  const base = { store, repository: head, author: AUTHOR, insecureHosts: [gitHost], fetch: realFetch };
  const workspace: Workspace = {
    tree,
    store,
    async call(run, options) {
      const overlay = tree.overlay(tree.head(head));
      const git = createGit({ ...base, overlay, ...options });
      const result = await run(git, overlay);
      const staged = await tree.stage(overlay);
      await git.prepare();
      tree.commit(head, staged, () => git.rows());
      return result;
    },
    refs() {
      const refs = Object.entries(workspace.gitFiles()).filter(([path]) => path === "HEAD" || path.startsWith("refs/"));
      return Object.fromEntries(refs.map(([path, bytes]) => [path, decoder.decode(bytes).trim()]));
    },
    gitFiles() {
      const files = store.open(head);
      const found: Record<string, Uint8Array> = {};
      const walk = (path: string): void => {
        for (const [name, isDirectory] of files.list(path)) {
          const full = path === "" ? name : `${path}/${name}`;
          if (isDirectory) walk(full);
          else found[full] = files.read(full) ?? new Uint8Array();
        }
      };
      walk("");
      return found;
    },
    async files() {
      const overlay = tree.overlay(tree.head(head));
      const found: Record<string, string> = {};
      for (const { path, kind } of tree.manifest(overlay.tree)) {
        if (kind === "file") found[path] = await overlay.readFile(path);
        if (kind === "symlink") found[path] = `-> ${await overlay.readlink(path)}`;
      }
      return found;
    },
  };
  return workspace;
}

const realFetch: NonNullable<GitOptions["fetch"]> = (url, init) => fetch(url, init);
