import type { FsStat } from "just-bash/browser";
import { problemOf } from "../../problem-of.ts";
import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { UsageError } from "../parse-options.ts";
import { breathe } from "../pieces.ts";
import { type Entry, FindRun, type Kind } from "./find-run.ts";
import { kindOf } from "./find-tests.ts";
import { type FindCall, parseFind } from "./parse-find.ts";

/** Entries between two turns of the event loop. */
const ENTRIES_PER_TURN = 1000;

/**
 * In place of just-bash's, which reads the state of every file and knows few of GNU's tests. A folder's entries come by name.
 * Only `-regex` is left to that one.
 */
export const find: ShellCommand = {
  name: "find",
  callsOriginal: true,
  callsOthers: true,
  isAlone: (args) => !args.some((arg) => arg === undefined || CALLS.test(arg)),
  async run(args, context): Promise<CommandOutput> {
    if (args.some((arg) => /^-(?:i?regex|regextype)$/.test(arg))) return context.original(args);
    try {
      const call = parseFind(args);
      const run = new FindRun(context, call.needsNow ? await secondsNow(context) : 0);
      const walk = new Walk(call, run);
      for (const start of call.starts) if (!run.hasQuit) await walk.from(start);
      for (const each of call.calls) await each.finish(run);
      return run.output;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { stderr: `find: ${error.message}\n`, exitCode: 1 };
    }
  },
};

/** What runs other commands, or asks one for the time, or is left to just-bash. */
const CALLS = /^-(exec|ok|i?regex|[acm](min|time)|newer|used)/;

/** What a script gets for the time. */
async function secondsNow({ exec }: CommandContext): Promise<number> {
  const { stdout } = await exec(["date", "+%s"]);
  return Number(typeof stdout === "string" ? stdout : new TextDecoder().decode(stdout));
}

class Walk {
  readonly #call: FindCall;
  readonly #run: FindRun;
  #count = 0;

  constructor(call: FindCall, run: FindRun) {
    this.#call = call;
    this.#run = run;
  }

  async from(start: string): Promise<void> {
    const absolute = this.#run.context.resolve(start);
    try {
      const stat = await this.#stat(absolute);
      // A link that is named with a slash is what it leads to.
      const end = start.replace(/(?<=.)\/+$/, "");
      const name = end.slice(end.lastIndexOf("/") + 1) || "/";
      await this.#visit(this.#entry({ path: start, name, start, depth: 0, absolute }, kindOf(stat)), new Set());
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#run.context.signal.throwIfAborted();
      this.#run.fail(`'${start}': ${problemOf(error)}`);
    }
  }

  /** `above` has the folders on the way, where links are followed: one of them would lead in a circle. */
  async #visit(entry: Entry, above: ReadonlySet<string>): Promise<void> {
    const { isDepthFirst, minDepth, maxDepth } = this.#call;
    const run = this.#run;
    if (++this.#count % ENTRIES_PER_TURN === 0) await breathe(run.context.signal);
    const isShown = entry.depth >= minDepth;
    run.isPruned = false;
    if (isShown && !isDepthFirst) await this.#call.test(entry, run);
    if (run.hasQuit) return;
    if (entry.kind === "directory" && !run.isPruned && entry.depth < maxDepth) await this.#below(entry, above);
    if (isShown && isDepthFirst && !run.hasQuit) await this.#call.test(entry, run);
    run.isPruned = false;
  }

  async #below(folder: Entry, above: ReadonlySet<string>): Promise<void> {
    const { fs } = this.#run.context;
    let way = above;
    if (this.#call.follows) {
      const real = await fs.realpath(folder.absolute);
      if (above.has(real))
        return this.#run.fail(`File system loop detected; '${folder.path}' is part of the same file system loop`);
      way = new Set([...above, real]);
    }
    try {
      for (const { name, kind } of await this.#entries(folder.absolute)) {
        const path = folder.path.endsWith("/") ? folder.path + name : `${folder.path}/${name}`;
        const absolute = folder.absolute === "/" ? `/${name}` : `${folder.absolute}/${name}`;
        const where = { path, name, start: folder.start, depth: folder.depth + 1, absolute };
        const isFollowed = kind === "symlink" && this.#call.follows;
        await this.#visit(this.#entry(where, isFollowed ? kindOf(await this.#stat(absolute)) : kind), way);
        if (this.#run.hasQuit) return;
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#run.context.signal.throwIfAborted();
      this.#run.fail(`'${folder.path}': ${problemOf(error)}`);
    }
  }

  async #entries(path: string): Promise<readonly { readonly name: string; readonly kind: Kind }[]> {
    const { fs } = this.#run.context;
    if (fs.readdirWithFileTypes)
      return (await fs.readdirWithFileTypes(path)).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    const names = await fs.readdir(path);
    return Promise.all(names.map(async (name) => ({ name, kind: kindOf(await fs.lstat(`${path}/${name}`)) })));
  }

  #entry(where: Omit<Entry, "kind" | "stat">, kind: Kind): Entry {
    let stat: Promise<FsStat> | undefined;
    return { ...where, kind, stat: () => (stat ??= this.#stat(where.absolute)) };
  }

  /** Of a link that leads nowhere, the link's own. */
  async #stat(path: string): Promise<FsStat> {
    const { fs } = this.#run.context;
    return this.#call.follows ? fs.stat(path).catch(() => fs.lstat(path)) : fs.lstat(path);
  }
}
