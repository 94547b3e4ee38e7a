import type { FileSystem } from "@tenrec/protocol";
import { createSearch, TreeStore } from "@tenrec/vfs";
import { createGit, GitStore } from "@tenrec/vfs/git";
import { createNodeStorage } from "@tenrec/vfs/testing";
import type { BashPorts } from "../bash.ts";
import { decodeBytes, encodeContent } from "../encoding.ts";
import { parseLine } from "../parse-line.ts";
import { runShell } from "../shell.ts";
import { createShellCommands } from "../shell-commands.ts";
import { AUTHOR, NOW, type ScriptResult } from "./with-real-bash.ts";

export interface OurResult extends ScriptResult {
  readonly stderr: string;
  /** Commands that need another tier. */
  readonly missing: readonly string[];
}

/** The shell of the `bash` tool over a tree with these files, given in latin1; each script begins with the same tree. */
export async function ourBash(
  files: Readonly<Record<string, string>>,
  gitFiles: Readonly<Record<string, Uint8Array>>,
): Promise<(script: string) => Promise<OurResult>> {
  const storage = createNodeStorage();
  const store = new TreeStore(storage, { now: () => NOW });
  const repositories = new GitStore(storage, { now: () => NOW });
  store.setHead("main", store.emptyTree);
  const first = store.overlay(store.emptyTree);
  for (const [path, content] of Object.entries(files))
    await first.writeFileBytes(path, encodeContent(content, "latin1"));
  const { tree } = store.commit("main", await store.stage(first));
  const open = (fs: ReturnType<typeof store.overlay>) =>
    createGit({ store: repositories, repository: "main", overlay: fs, author: AUTHOR });
  const repository = open(store.overlay(tree));
  for (const [path, bytes] of Object.entries(gitFiles)) {
    if (!path.startsWith("hooks/")) await repository.fileSystem.writeFileBytes(`/.git/${path}`, bytes);
  }
  repository.rows();
  return async (script) => {
    const fs = store.overlay(tree);
    const git = open(fs);
    const ports: BashPorts = {
      fs,
      search: createSearch(fs),
      git: () => git,
      gate: { require: () => undefined },
      outputs: { save: () => "", read: () => undefined },
      executors: [],
      operationId: "operation-1",
    };
    const commands = createShellCommands(ports);
    const signal = new AbortController().signal;
    const run = await runShell(parseLine(script), { fs, signal, timeout: 20_000, escalates: () => false, commands });
    return { ...run, files: Object.fromEntries(await filesBelow(fs, "/")) };
  };
}

async function filesBelow(fs: FileSystem, folder: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const { name, type } of await fs.readdirWithFileTypes(folder)) {
    const path = fs.resolvePath(folder, name);
    if (type === "directory") found.push(...(await filesBelow(fs, path)));
    else if (type === "symlink") found.push([path, `-> ${await fs.readlink(path)}`]);
    else found.push([path, decodeBytes(await fs.readFileBytes(path), "latin1")]);
  }
  return found;
}
