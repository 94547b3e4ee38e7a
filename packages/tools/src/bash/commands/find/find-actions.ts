import { problemOf } from "../../problem-of.ts";
import { modeText, timeText } from "../list-columns.ts";
import type { Test } from "./find-run.ts";
import { sizeOf } from "./find-tests.ts";

/** Those without an argument. */
export const ACTIONS: Readonly<Record<string, Test>> = {
  "-print": ({ path }, run) => {
    run.print(`${path}\n`);
    return true;
  },
  "-print0": ({ path }, run) => {
    run.print(`${path}\0`);
    return true;
  },
  "-prune": (_entry, run) => {
    run.isPruned = true;
    return true;
  },
  "-quit": (_entry, run) => {
    run.hasQuit = true;
    return true;
  },
  "-ls": async (entry, run) => {
    const stat = await entry.stat();
    const size = sizeOf(stat);
    const target = entry.kind === "symlink" ? ` -> ${await run.context.fs.readlink(entry.absolute)}` : "";
    const blocks = String(Math.ceil(size / 4096) * 4).padStart(6);
    const links = String(stat.isDirectory ? 2 : 1).padStart(3);
    run.print(
      `        0 ${blocks} ${modeText(stat)} ${links} user     user     ${String(size).padStart(8)} ${timeText(stat.mtime)} ${entry.path}${target}\n`,
    );
    return true;
  },
};

export const deleteAction: Test = async ({ path, absolute, kind, depth }, run) => {
  // The working directory stays.
  if (path === "." && depth === 0) return true;
  try {
    // Not all file systems here refuse it by themselves.
    if (kind === "directory" && (await run.context.fs.readdir(absolute)).length > 0) {
      run.fail(`cannot delete '${path}': Directory not empty`);
      return false;
    }
    await run.context.fs.rm(absolute, { recursive: kind === "directory" });
    return true;
  } catch (error) {
    run.fail(`cannot delete '${path}': ${problemOf(error)}`);
    return false;
  }
};
