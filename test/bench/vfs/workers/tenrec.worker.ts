import { createSearch, importEntries, type SqlBinding, type SqlLike, type SqlValue, TreeStore } from "@tenrec/vfs";
import type { GrepRequest, FoundLines, Store } from "./store.ts";
import { type Env, forwardToObject, grep as answerGrep, type Operation, SubjectObject } from "./subject-object.ts";

const HEAD = "main";
const SCOPE = { hidden: true, noIgnore: true };

/** `@tenrec/vfs`, as its README shows. */
export class Subject extends SubjectObject {
  protected override readonly store: Store;
  protected override readonly extras: Readonly<Record<string, Operation>>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const rows = { written: 0 };
    const { storage } = ctx;
    const sql = countingSql(storage.sql, rows);
    const trees = new TreeStore({ sql, transactionSync: (work) => storage.transactionSync(work) });
    if (!hasHead(trees)) trees.setHead(HEAD, trees.emptyTree);
    this.store = storeOf(trees);
    this.extras = {
      // One file after the other, each on the disk before the next.
      commit: async (request) => {
        for (const file of await request.json<{ path: string; text: string }[]>()) {
          await this.store.writeTexts([file]);
          await storage.sync();
        }
        return "";
      },
      // A store that was just opened has read nothing, and learned nothing of contents.
      "grep-cold": async (request) => {
        const opened = storeOf(new TreeStore(storage));
        return answerGrep(opened, await request.json<GrepRequest>(), false);
      },
      // Answers with the rows that each fork wrote.
      fork: async (request) => {
        const counts: number[] = [];
        for (const name of await request.json<string[]>()) {
          rows.written = 0;
          trees.setHead(name, trees.head(HEAD));
          await storage.sync();
          counts.push(rows.written);
        }
        return JSON.stringify(counts);
      },
    };
  }
}

function storeOf(trees: TreeStore): Store {
  const open = () => trees.overlay(trees.head(HEAD));
  return {
    async importFiles(files) {
      const overlay = open();
      await importEntries(
        overlay,
        files.map(({ path, bytes }) => ({ kind: "file", path, mode: 0o644, size: bytes.length, content: bytes })),
      );
      trees.commit(HEAD, await trees.stage(overlay));
    },
    grep: (request) => grep(trees, request),
    async glob(pattern) {
      const paths: string[] = [];
      for await (const event of createSearch(open()).glob({ ...SCOPE, pattern })) {
        if (event.type === "entry") paths.push(event.path);
      }
      return paths;
    },
    async *readTexts(paths) {
      const overlay = open();
      for (const path of paths) yield await overlay.readFile(path);
    },
    async writeTexts(files) {
      const overlay = open();
      for (const { path, text } of files) await overlay.writeFile(path, text);
      trees.commit(HEAD, await trees.stage(overlay));
    },
  };
}

async function* grep(trees: TreeStore, { pattern, regex, ignoreCase }: GrepRequest): AsyncGenerator<FoundLines> {
  const search = createSearch(trees.overlay(trees.head(HEAD)));
  // A file with many lines comes in several events.
  let found: { readonly path: string; readonly lines: number[] } | undefined;
  for await (const event of search.grep({ ...SCOPE, pattern, literal: !regex, ignoreCase })) {
    if (event.type !== "file") continue;
    if (found && !event.continued) yield found;
    if (!found || !event.continued) found = { path: event.path, lines: [] };
    for (const { line } of event.lines) found.lines.push(line);
  }
  if (found) yield found;
}

function hasHead(trees: TreeStore): boolean {
  try {
    return trees.head(HEAD) !== "";
  } catch {
    return false;
  }
}

function countingSql(sql: SqlStorage, rows: { written: number }): SqlLike {
  return {
    exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
      const cursor = sql.exec<T>(query, ...bindings);
      rows.written += cursor.rowsWritten;
      return cursor;
    },
  };
}

export default { fetch: forwardToObject };
