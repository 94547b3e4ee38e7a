import { Workspace } from "@cloudflare/computer";
import { createAITools, type CreateAIToolsOptions } from "@cloudflare/computer/tools/ai-sdk";
import type { ToolSet } from "ai";
import { DurableObject } from "cloudflare:workers";
import { importTexts } from "../../frame/import-texts.ts";
import type { Task } from "../work.ts";
import { answer, type Env, forwardToObject, type ToolSubject } from "./tool-object.ts";

/** The AI SDK tools of `@cloudflare/computer`, as its README shows. */
export class Subject extends DurableObject<Env> {
  readonly #subject: ToolSubject = subjectOf(new Workspace({ storage: this.ctx.storage }));

  override fetch(request: Request): Promise<Response> {
    return answer(this.#subject, request);
  }
}

/** What its tools answer with. */
interface Output {
  readonly error?: string;
  readonly content?: string;
  readonly matches?: readonly { readonly path: string; readonly line: number }[];
  readonly entries?: readonly { readonly path: string }[];
}

function subjectOf(workspace: Workspace): ToolSubject {
  // Its own type has `undefined` where the options of the tools have nothing.
  const tools = createAITools({ workspace: workspace as CreateAIToolsOptions["workspace"] });
  const { fs } = workspace;
  return {
    importFiles: (files) => importTexts(fs, files),
    async run(task) {
      const answers: string[] = [];
      for (const [name, input] of callsOf(task)) answers.push(shown(task, await call(tools, name, input)));
      return answers.join("");
    },
    readText: (path) => fs.readFile(path, "utf8"),
  };
}

async function call(tools: ToolSet, name: string, input: object): Promise<Output> {
  const output: unknown = await tools[name]?.execute?.(input, { toolCallId: "call", messages: [], context: {} });
  if (typeof output !== "object" || output === null) throw new Error(`${name} answers ${JSON.stringify(output)}`);
  if ("error" in output) throw new Error(`${name}: ${String(output.error)}`);
  return output;
}

function callsOf(task: Task): [name: string, input: object][] {
  switch (task.kind) {
    case "read":
      return [["read", { path: task.path }]];
    case "write":
      return [["write", { path: task.path, content: task.text }]];
    case "edit":
      return [["edit", { path: task.path, edits: task.edits }]];
    case "grep":
      return [["grep", { path: "/workspace", query: task.text, limit: 500 }]];
    case "glob":
      return [["find", { path: "/workspace", pattern: `**/*${task.ending}`, limit: 500 }]];
    case "bash":
      throw new Error("there is no shell in the object");
    case "patch":
      return task.files.map(({ path, edit }) => ["edit", { path, edits: [edit] }]);
  }
}

function shown({ kind }: Task, output: Output): string {
  switch (kind) {
    case "read":
      return output.content ?? JSON.stringify(output);
    case "grep":
      return (output.matches ?? [])
        .map(({ path, line }) => `${path}:${line}`)
        .toSorted()
        .join("\n");
    case "glob":
      return (output.entries ?? [])
        .map(({ path }) => path)
        .toSorted()
        .join("\n");
    default:
      return "";
  }
}

export default { fetch: forwardToObject };
