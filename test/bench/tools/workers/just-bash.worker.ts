import { DurableObject } from "cloudflare:workers";
import { Bash, InMemoryFs } from "just-bash/browser";
import type { Task } from "../work.ts";
import { answer, type Env, forwardToObject, type ToolSubject } from "./tool-object.ts";

/**
 * just-bash on its own file system, which is in memory: what it changes is gone with the object. One `Bash` for all calls, as
 * its README shows: each `exec` starts with a shell state of its own, and only files stay, with what `shopt`, `export` and
 * `readonly` did. Tenrec makes one for each call that needs a shell, over that call's overlay, with nothing left in `/tmp`.
 */
export class Subject extends DurableObject<Env> {
  readonly #subject: ToolSubject = subjectOf(new InMemoryFs());

  override fetch(request: Request): Promise<Response> {
    return answer(this.#subject, request);
  }
}

function subjectOf(fs: InMemoryFs): ToolSubject {
  fs.mkdirSync("/workspace", { recursive: true });
  const limits = { maxOutputSize: 5_000_000, maxSedIterations: 1_000_000 };
  const bash = new Bash({ fs, cwd: "/workspace", executionLimits: limits, defenseInDepth: false });
  return {
    async importFiles(files) {
      for (const { path, text } of files) {
        fs.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
        fs.writeFileSync(path, text);
      }
    },
    async run(task) {
      const { stdout, stderr, exitCode } = await bash.exec(commandOf(task), { rawScript: true });
      if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`);
      return shown(task, stdout);
    },
    readText: (path) => fs.readFile(path),
  };
}

function commandOf(task: Task): string {
  switch (task.kind) {
    case "read":
      return `cat ${task.path}`;
    case "write":
      return `mkdir -p ${task.path.slice(0, task.path.lastIndexOf("/"))}\ncat > ${task.path} <<'END'\n${task.text}END`;
    case "edit":
      return sed(task.path, task.edits);
    case "grep":
      return `grep -rnF '${task.text}' /workspace`;
    case "glob":
      return `find /workspace -name '*${task.ending}'`;
    case "bash":
      return task.command;
    case "patch":
      return task.files.map(({ path, edit }) => sed(path, [edit])).join("\n");
  }
}

function sed(path: string, edits: readonly { readonly oldText: string; readonly newText: string }[]): string {
  const scripts = edits.map(({ oldText, newText }) => `-e 's/^${oldText}$/${newText}/'`);
  return `sed -i ${scripts.join(" ")} ${path}`;
}

function shown({ kind }: Task, stdout: string): string {
  if (kind === "grep")
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(":").slice(0, 2).join(":"))
      .toSorted()
      .join("\n");
  if (kind === "glob") return stdout.trimEnd().split("\n").toSorted().join("\n");
  return kind === "read" || kind === "bash" ? stdout : "";
}

export default { fetch: forwardToObject };
