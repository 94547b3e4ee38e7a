import { nameOf, PROMPT, type TextFile, treeFiles, type Work } from "../work.ts";
import { countRows } from "./count-rows.ts";
import { observedModel, type ObservedModel } from "./observed-model.ts";

export interface Env {
  readonly SUBJECTS: DurableObjectNamespace;
}

/** What every subject is asked to do, each with its own means. */
export interface TurnSubject {
  /** Puts the tree where the subject's tools find it. */
  importFiles(files: readonly TextFile[]): Promise<void>;
  /** One turn on a new conversation, to its end. Resolves with the last text of the model. */
  runTurn(prompt: string): Promise<string>;
  /** A file's text, by a path of `treeFiles`. */
  readText(path: string): Promise<string>;
}

/** What is asked of `turn`. */
export interface TurnRequest {
  readonly work: Work;
  /** Address of a model server; without it the model is in the process. */
  readonly server?: string;
  /** Counts rows, which takes time of its own. */
  readonly rows?: boolean;
}

/** What `turn` answers. */
export interface TurnAnswer {
  readonly text: string;
  readonly calls: number;
  readonly bytes: number;
  readonly rows: number;
}

/** What `check` answers: what the last turn was told by its tools, and what the tree is now. */
export interface CheckAnswer {
  readonly answers: readonly string[];
  readonly files: readonly TextFile[];
}

/** Answers `POST /<object>/<operation>` for a subject in its object. */
export class TurnObject {
  readonly observed: ObservedModel = observedModel();
  readonly #ctx: DurableObjectState;
  readonly #subject: () => TurnSubject;

  constructor(ctx: DurableObjectState, subject: () => TurnSubject) {
    this.#ctx = ctx;
    this.#subject = subject;
  }

  async answer(request: Request): Promise<Response> {
    const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
    try {
      return new Response(await this.#operate(name, request));
    } catch (error) {
      return new Response(error instanceof Error ? (error.stack ?? error.message) : String(error), { status: 500 });
    }
  }

  async #operate(name: string, request: Request): Promise<string> {
    const subject = this.#subject();
    switch (name) {
      case "empty":
        return "";
      case "import":
        await subject.importFiles(treeFiles());
        return "";
      case "turn":
        return JSON.stringify(await this.#turn(subject, await request.json<TurnRequest>()));
      case "check":
        return JSON.stringify(await this.#check(subject));
      case "drop":
        await this.#ctx.storage.deleteAll();
        // Once this was answered: also what it has in memory goes.
        setTimeout(() => this.#ctx.abort("dropped"), 0);
        return "";
      default:
        throw new Error(`no operation ${name}`);
    }
  }

  async #turn(subject: TurnSubject, { work, server, rows: counted = false }: TurnRequest): Promise<TurnAnswer> {
    this.observed.use({ name: nameOf(work), ...(server === undefined ? {} : { server }) });
    let text = "";
    const run = async (): Promise<void> => {
      text = await subject.runTurn(PROMPT);
    };
    const rows = counted ? await countRows(this.#ctx.storage, run) : (await run(), 0);
    const { calls, bytes } = this.observed;
    return { text, calls, bytes, rows };
  }

  async #check(subject: TurnSubject): Promise<CheckAnswer> {
    const files: TextFile[] = [];
    for (const { path } of treeFiles()) files.push({ path, text: await subject.readText(path) });
    return { answers: this.observed.answers(), files };
  }
}

/** What the Worker before the objects does. */
export function forwardToObject(request: Request, { SUBJECTS }: Env): Promise<Response> {
  return SUBJECTS.getByName(new URL(request.url).pathname.split("/")[1] ?? "").fetch(request);
}
