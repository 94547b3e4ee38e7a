import type { FileSystem } from "../file-system.ts";
import type { GlobQuery, GrepEvent, GrepQuery, Search } from "../search.ts";
import { check } from "./check.ts";

/** A search over an empty tree, and the tree to fill. `search` is called when the tree is filled. */
export interface SearchSubject {
  readonly fs: FileSystem;
  readonly search: () => Promise<Search>;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export async function fill({ fs, search }: SearchSubject, files: Files): Promise<Search> {
  for (const [path, content] of Object.entries(files)) {
    await (typeof content === "string" ? fs.writeFile(path, content) : fs.writeFileBytes(path, content));
  }
  return search();
}

/** `path:line:text` for a match, with `-` for context. */
export async function grep(search: Search, query: GrepQuery): Promise<string[]> {
  const found: string[] = [];
  for await (const event of search.grep(query)) {
    if (event.type === "summary") continue;
    for (const { line, text, match } of event.lines) {
      const sign = match ? ":" : "-";
      found.push(`${event.path}${sign}${line}${sign}${text}`);
    }
  }
  return found;
}

export async function glob(search: Search, query: GlobQuery): Promise<string[]> {
  const found: string[] = [];
  for await (const event of search.glob(query)) if (event.type === "entry") found.push(event.path);
  return found;
}

export function same(got: readonly string[], wanted: readonly string[]): void {
  check(got.join("\n") === wanted.join("\n"), `${JSON.stringify(wanted)}, not ${JSON.stringify(got)}`);
}

export type Run = (subject: SearchSubject) => Promise<void>;

/** Every event of a search. */
export async function eventsOf(search: Search, query: GrepQuery): Promise<GrepEvent[]> {
  const events: GrepEvent[] = [];
  for await (const event of search.grep(query)) events.push(event);
  return events;
}
