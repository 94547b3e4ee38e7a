import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import type { GrepRequest } from "../workers/store.ts";

/** ripgrep in one thread, on folders of this machine whose files are in the page cache. */
export interface Ripgrep {
  /** The start of a process that finds no file to search. */
  readonly way: () => void;
  /** Searches a folder some times over, and lets the system throw the output away. */
  run(folder: string, query: GrepRequest, times: number): void;
  /** The answer in the form in which a Worker gives it in full; undefined where it refuses the pattern. */
  answer(folder: string, query: GrepRequest): string | undefined;
}

const MAX_OUTPUT_BYTES = 1024 ** 3;

export function createRipgrep(emptyFolder: string): Ripgrep {
  const run: Ripgrep["run"] = (folder, query, times) => {
    const args = [...argumentsOf(query), ...Array.from({ length: times }, () => "./")];
    const { status, error } = spawnSync(rgPath, args, { cwd: folder, stdio: "ignore" });
    if (error) throw error;
    if (status !== 0 && status !== 1) throw new Error(`ripgrep refuses ${query.pattern}`);
  };
  return {
    way: () => run(emptyFolder, { pattern: "x", regex: false, ignoreCase: false }, 1),
    run,
    answer(folder, query) {
      const { status, stdout, error } = spawnSync(rgPath, [...argumentsOf(query), "./"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: MAX_OUTPUT_BYTES,
      });
      if (error) throw error;
      return status === 0 || status === 1 ? canonical(stdout) : undefined;
    },
  };
}

// The Worker's subjects heed no ignore files and look at hidden ones.
function argumentsOf({ pattern, regex, ignoreCase }: GrepRequest): string[] {
  const how = [
    "-j1",
    "--no-config",
    "--no-ignore",
    "--hidden",
    "--no-heading",
    "--line-number",
    "--null",
    "--color=never",
  ];
  return [...how, ...(regex ? [] : ["-F"]), ...(ignoreCase ? ["-i"] : []), "-e", pattern];
}

// `./path NUL line:text` for each line; what comes after the number is not needed.
function canonical(output: Buffer): string {
  const byPath = new Map<string, string[]>();
  for (let start = 0; start < output.length;) {
    const end = output.indexOf(10, start);
    const line = output.toString("utf8", start, Math.min(end === -1 ? output.length : end, start + 5000));
    const [, path, number] = /^\.([^\0]+)\0(\d+):/.exec(line) ?? [];
    if (path !== undefined && number !== undefined) {
      const lines = byPath.get(path);
      if (lines) lines.push(number);
      else byPath.set(path, [number]);
    }
    start = end === -1 ? output.length : end + 1;
  }
  return Array.from(byPath, ([path, lines]) => `${path}:${lines.join(",")}`)
    .toSorted()
    .join("\n");
}
