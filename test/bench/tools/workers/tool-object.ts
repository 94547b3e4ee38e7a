import type { Task, TextFile } from "../work.ts";

export interface Env {
  readonly SUBJECTS: DurableObjectNamespace;
}

/** What every subject does, each with its own tools. */
export interface ToolSubject {
  importFiles(files: readonly TextFile[]): Promise<void>;
  /**
   * Calls a tool. Resolves with its answer in a form that is the same for all: the text of a file, `path:line` of what is
   * found, paths, or what was printed; nothing for what changes files. Throws when the tool says that it failed.
   */
  run(task: Task): Promise<string>;
  readText(path: string): Promise<string>;
}

/** Answers `POST /<object>/<operation>` for a subject in its object. */
export async function answer(subject: ToolSubject, request: Request): Promise<Response> {
  try {
    return new Response(await operate(subject, new URL(request.url).pathname.split("/").at(-1) ?? "", request));
  } catch (error) {
    return new Response(error instanceof Error ? (error.stack ?? error.message) : String(error), { status: 500 });
  }
}

async function operate(subject: ToolSubject, name: string, request: Request): Promise<string> {
  switch (name) {
    case "empty":
      return "";
    case "import":
      await subject.importFiles(await request.json<TextFile[]>());
      return "";
    case "run": {
      const answers: string[] = [];
      for (const task of await request.json<Task[]>()) answers.push((await subject.run(task)).trimEnd());
      return answers.join("\n");
    }
    case "texts": {
      const texts: string[] = [];
      for (const path of await request.json<string[]>()) texts.push(await subject.readText(path));
      return texts.join("\n");
    }
    default:
      throw new Error(`no operation ${name}`);
  }
}

/** What the Worker before the objects does. */
export function forwardToObject(request: Request, { SUBJECTS }: Env): Promise<Response> {
  return SUBJECTS.getByName(new URL(request.url).pathname.split("/")[1] ?? "").fetch(request);
}
