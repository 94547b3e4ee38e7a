import { bytesOf, unpackTar } from "@tenrec/vfs";
import { DurableObject } from "cloudflare:workers";
import type { GrepRequest, SourceFile, Store } from "./store.ts";

export interface Env {
  readonly SUBJECTS: DurableObjectNamespace<SubjectObject>;
}

/** An operation takes the body of a request and answers with a text. */
export type Operation = (request: Request) => Promise<string>;

/** Files to write: their text is made here, so that a request does not carry it. */
interface WriteRequest {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * The object that holds a subject's store. Answers `POST /<object>/<operation>`. With the header `x-answer: full` the
 * text is the whole answer, to be compared; without it, what says as much in a few bytes.
 */
export abstract class SubjectObject extends DurableObject<Env> {
  protected abstract readonly store: Store;
  /** Operations that only this subject has. */
  protected readonly extras: Readonly<Record<string, Operation>> = {};

  override async fetch(request: Request): Promise<Response> {
    const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
    const full = request.headers.get("x-answer") === "full";
    const operations = { ...operationsOf(this.store, full), drop: () => this.#drop(), ...this.extras };
    const operation: Operation | undefined = Object.entries(operations).find(([known]) => known === name)?.[1];
    if (operation === undefined) return new Response(`no operation ${name}`, { status: 404 });
    try {
      return new Response(await operation(request));
    } catch (error) {
      return new Response(describe(error), { status: 500 });
    }
  }

  async #drop(): Promise<string> {
    await this.ctx.storage.deleteAll();
    return "";
  }
}

/** What the Worker before the objects does. */
export function forwardToObject(request: Request, { SUBJECTS }: Env): Promise<Response> {
  return SUBJECTS.getByName(new URL(request.url).pathname.split("/")[1] ?? "").fetch(request);
}

function operationsOf(store: Store, full: boolean): Record<string, Operation> {
  return {
    empty: async () => "",
    import: async ({ body }) => importTar(store, body),
    grep: async (asked) => grep(store, await asked.json<GrepRequest>(), full),
    glob: async (asked) => {
      const { pattern, times } = await asked.json<{ pattern: string; times: number }>();
      let paths: string[] = [];
      for (let time = 0; time < times; time++) paths = await store.glob(pattern);
      return full ? paths.toSorted().join("\n") : String(paths.length);
    },
    read: async (asked) => read(store, await asked.json<string[]>(), full),
    write: async (asked) => write(store, await asked.json<WriteRequest>()),
  };
}

// All subjects get whole files: what differs is how they store them.
async function importTar(store: Store, body: ReadableStream<Uint8Array> | null): Promise<string> {
  const files: SourceFile[] = [];
  if (body) {
    for await (const entry of unpackTar(body)) {
      if (entry.kind === "file") files.push({ path: entry.path, bytes: await bytesOf(entry) });
    }
  }
  await store.importFiles(files);
  return String(files.length);
}

async function grep(store: Store, query: GrepRequest, full: boolean): Promise<string> {
  const answer: string[] = [];
  let files = 0;
  let count = 0;
  for await (const { path, lines } of await store.grep(query)) {
    files++;
    count += lines.length;
    if (full) answer.push(`${path}:${lines.join(",")}`);
  }
  return full ? answer.toSorted().join("\n") : `${files} files, ${count} lines`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${String(error.code)}: ` : "";
  return code + (error.stack ?? error.message);
}

async function read(store: Store, paths: readonly string[], full: boolean): Promise<string> {
  const encoder = new TextEncoder();
  const hashes: string[] = [];
  let length = 0;
  for await (const text of store.readTexts(paths)) {
    length += text.length;
    if (full) hashes.push(hex(await crypto.subtle.digest("SHA-256", encoder.encode(text))));
  }
  return full ? hashes.join("\n") : String(length);
}

function hex(hash: ArrayBuffer): string {
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// No two files are the same, in no two folders: a store that keeps equal contents once gains nothing.
async function write(store: Store, { folder, files, bytes }: WriteRequest): Promise<string> {
  const line = "export const value = { name: 'a', size: 12 };\n";
  const filler = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
  const texts = Array.from({ length: files }, (_, index) => ({
    path: `/${folder}/part-${index % 20}/file-${index}.ts`,
    text: `// ${folder}, ${index}\n${filler}`,
  }));
  await store.writeTexts(texts);
  return String(files);
}
