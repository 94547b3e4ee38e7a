import type { Measuring } from "../frame/measure-case.ts";
import type { WorkerSubject } from "../frame/worker-subject.ts";
import type { Work } from "./work.ts";
import type { CheckAnswer, TurnAnswer } from "./workers/turn-object.ts";

/** What a case works with. */
export interface LoopContext extends Measuring {
  /** Tenrec first. */
  readonly subjects: readonly WorkerSubject[];
  /** Address of the model server. */
  readonly server: string;
}

/** A case by the name that `--only` takes. */
export interface Case {
  readonly name: string;
  run(context: LoopContext): Promise<void>;
}

/** Where the model is: in the object's own process, or a server behind HTTP. */
export type Place = "in-process" | "http";

/** Numbers of steps in a turn. */
export const STEPS: readonly number[] = [1, 20, 100];

/** One turn of a subject in an object that has the tree. Throws when it did not do what it had to. */
export async function runTurn(
  { server }: Pick<LoopContext, "server">,
  subject: WorkerSubject,
  object: string,
  { work, place, rows = false }: { readonly work: Work; readonly place: Place; readonly rows?: boolean },
): Promise<TurnAnswer> {
  const asked = { work, rows, ...(place === "http" ? { server } : {}) };
  return JSON.parse(await subject.post(object, "turn", asked)) as TurnAnswer;
}

export async function checkTurn(subject: WorkerSubject, object: string): Promise<CheckAnswer> {
  return JSON.parse(await subject.post(object, "check", "")) as CheckAnswer;
}

let objects = 0;

/**
 * Runs `use` with the name of an object that is new and has the tree, and is gone after it: objects stay in memory, and
 * those of a subject whose files are there would slow it down.
 */
export async function withObject<T>(subject: WorkerSubject, use: (object: string) => Promise<T>): Promise<T> {
  const object = await newObject(subject);
  try {
    return await use(object);
  } finally {
    await dropObject(subject, object);
  }
}

export async function newObject(subject: WorkerSubject): Promise<string> {
  objects += 1;
  const object = `object-${objects}`;
  await subject.post(object, "import", "");
  return object;
}

export async function dropObject(subject: WorkerSubject, object: string): Promise<void> {
  await subject.post(object, "drop", "");
}
