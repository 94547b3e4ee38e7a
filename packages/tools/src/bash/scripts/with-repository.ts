import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The files of a small workspace with three packages, by path: what coding agents meet. `repository.txt` has them one
 * after another, each below a line with its path.
 */
export function repositoryFiles(): Map<string, string> {
  const text = readFileSync(join(import.meta.dirname, "repository.txt"), "utf8");
  const parts = text.split(/^=== (.+)\n/m).slice(1);
  const files = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) files.set(`/${parts[at]}`, parts[at + 1] ?? "");
  return files;
}

/** Makes it a repository with some history, a second branch, and work that is not committed. */
export const PREPARE: string = `
set -e
git init -q -b main .
git config gc.auto 0
git add .
git commit -q -m "Begin with three packages"
printf '\\nIt hibernates.\\n' >> README.md
git commit -q -a -m "Say what it does"
git checkout -q -b refactor
printf -- '- WP10: Utilities.\\n' >> packages/coding-agent/docs/refactor.md
git commit -q -a -m "Plan one more step"
git checkout -q main
printf '\\nexport const LIMIT = 100;\\n' >> packages/coding-agent/src/tools/truncate.ts
printf 'notes\\n' > packages/coding-agent/docs/notes.md
`;
