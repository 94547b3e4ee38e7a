import { createWorkspaceStateBackend, Workspace } from "@cloudflare/shell";
import type { Store } from "./store.ts";
import { forwardToObject, SubjectObject } from "./subject-object.ts";

/** `Workspace` of `@cloudflare/shell`, as its README shows, with the state backend that its tools search through. */
export class Subject extends SubjectObject {
  protected override readonly store: Store = storeOf(new Workspace({ sql: this.ctx.storage.sql }));
}

function storeOf(workspace: Workspace): Store {
  const state = createWorkspaceStateBackend(workspace);
  const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  return {
    // As text, which it keeps as such: bytes it would keep in base64, and search more slowly.
    async importFiles(files) {
      for (const { path, bytes } of files) await workspace.writeFile(path, decoder.decode(bytes));
    },
    // It has an answer for each match, where the others have one for each line.
    async grep({ pattern, regex, ignoreCase }) {
      const found = await state.searchFiles("/**/*", pattern, { regex, caseSensitive: !ignoreCase });
      return found.map(({ path, matches }) => ({ path, lines: [...new Set(matches.map(({ line }) => line))] }));
    },
    glob: (pattern) => state.glob(`/${pattern}`),
    async *readTexts(paths) {
      for (const path of paths) yield (await workspace.readFile(path)) ?? "";
    },
    async writeTexts(files) {
      for (const { path, text } of files) await workspace.writeFile(path, text);
    },
  };
}

export default { fetch: forwardToObject };
