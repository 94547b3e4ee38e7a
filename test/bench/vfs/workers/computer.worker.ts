import { Workspace } from "@cloudflare/computer";
import type { FoundLines, Store } from "./store.ts";
import { forwardToObject, SubjectObject } from "./subject-object.ts";

/** `Workspace` of `@cloudflare/computer`, as its README shows, used in the object itself: no call has to get there. */
export class Subject extends SubjectObject {
  protected override readonly store: Store = storeOf(new Workspace({ storage: this.ctx.storage }));
}

function storeOf({ fs }: Workspace): Store {
  const write = async (files: readonly { path: string; content: string | Uint8Array }[]): Promise<void> => {
    const made = new Set<string>();
    for (const { path, content } of files) {
      const parent = path.slice(0, path.lastIndexOf("/"));
      if (parent !== "" && !made.has(parent)) await fs.mkdir(parent, { recursive: true });
      made.add(parent);
      await fs.writeFile(path, content);
    }
  };
  return {
    importFiles: (files) => write(files.map(({ path, bytes }) => ({ path, content: bytes }))),
    async grep({ pattern, regex, ignoreCase }) {
      const byPath = new Map<string, number[]>();
      for (const { path, line } of await fs.grep(pattern, "/", { regex, ignoreCase })) {
        const lines = byPath.get(path);
        if (lines) lines.push(line);
        else byPath.set(path, [line]);
      }
      return Array.from(byPath, ([path, lines]): FoundLines => ({ path, lines }));
    },
    glob: async (pattern) => (await fs.find("/", pattern)).map(({ path }) => path),
    async *readTexts(paths) {
      for (const path of paths) yield await fs.readFile(path, "utf8");
    },
    writeTexts: (files) => write(files.map(({ path, text }) => ({ path, content: text }))),
  };
}

export default { fetch: forwardToObject };
