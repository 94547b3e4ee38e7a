import type { SavedOutputs } from "@tenrec/tools";
import { ROW_CHARS } from "./journal-schema.ts";
import { splitText } from "./split-text.ts";
import type { Workspace } from "./workspace.ts";

/** What is kept of one cut output; the end is dropped beyond it. */
const MAX_CHARS = 4_000_000;

/**
 * Full texts of tool outputs that were cut, for `read` to go on with. Rows are written when the text is saved, before the
 * call's result commits: a call that runs again writes the same rows again.
 */
export function savedOutputs(
  { storage, redactor }: Pick<Workspace, "storage" | "redactor">,
  session: string,
  toolCallId: string,
): SavedOutputs {
  const path = (id: string): string => `/output/${id}.txt`;
  let count = 0;
  return {
    clean: (text) => redactor.text(text),
    save(raw) {
      const text = redactor.text(raw.slice(0, MAX_CHARS));
      count += 1;
      const id = count === 1 ? toolCallId : `${toolCallId}-${count}`;
      storage.transactionSync(() => {
        // A call that runs again may print less.
        storage.sql.exec("DELETE FROM tenrec_outputs WHERE session = ? AND id = ?", session, id);
        for (const [part, body] of splitText(text, ROW_CHARS).entries()) {
          storage.sql.exec("INSERT INTO tenrec_outputs VALUES (?, ?, ?, ?)", session, id, part, body);
        }
      });
      return path(id);
    },
    read(wanted) {
      const id = /^\/output\/(.+)\.txt$/.exec(wanted)?.[1];
      if (id === undefined) return undefined;
      const rows = storage.sql
        .exec<{ body: string }>(
          "SELECT body FROM tenrec_outputs WHERE session = ? AND id = ? ORDER BY part",
          session,
          id,
        )
        .toArray();
      return rows.length > 0 ? rows.map((row) => row.body).join("") : undefined;
    },
  };
}
