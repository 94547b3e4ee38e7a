import type { Contestant } from "../frame/measure-in-turns.ts";
import type { VfsContext } from "./context.ts";
import type { WorkerSubject } from "../frame/worker-subject.ts";
import type { Size } from "./trees.ts";
import type { GrepRequest } from "./workers/store.ts";

/** Where the same tree is, for the Workers and for ripgrep. */
export interface Place {
  readonly object: string;
  readonly folder: string;
  /** How often ripgrep searches in one run: on the real tree its start alone takes as long as a search. */
  readonly repeats: number;
}

export async function placeOf({ trees }: VfsContext, size: Size): Promise<Place> {
  return { object: await trees.object(size), folder: await trees.folder(size), repeats: size === "1x" ? 5 : 1 };
}

/** Tenrec's full answer, and who has another one. ripgrep gives none where it refuses a pattern. */
export interface Answers {
  readonly ours: string;
  readonly wrong: readonly string[];
  readonly ripgrepRefuses: boolean;
}

/** Asks everybody once, which also warms them up. */
export async function compareAnswers(
  { ripgrep, tenrec }: VfsContext,
  place: Place,
  query: GrepRequest,
  workers: readonly WorkerSubject[],
): Promise<Answers> {
  const ours = await tenrec.post(place.object, "grep", query, { full: true });
  const wrong: string[] = [];
  for (const peer of workers) {
    if (peer === tenrec) continue;
    if ((await peer.post(place.object, "grep", query, { full: true })) !== ours) wrong.push(peer.name);
  }
  const theirs = ripgrep.answer(place.folder, query);
  if (theirs !== undefined && theirs !== ours) wrong.push("ripgrep");
  return { ours, wrong, ripgrepRefuses: theirs === undefined };
}

/** Tenrec, peers and ripgrep with the same query. Each run of a Worker is checked to find as much as `expected` has. */
export function grepContestants(
  { ripgrep }: VfsContext,
  place: Place,
  query: GrepRequest,
  workers: readonly WorkerSubject[],
  expected: string,
  operation = "grep",
): Contestant[] {
  const found = countsOf(expected);
  const inWorkers = workers.map((worker): Contestant => ({
    subject: worker.name,
    way: worker.way,
    async run() {
      const counts = await worker.post(place.object, operation, query);
      if (counts !== found) throw new Error(`${worker.name} found ${counts}, not ${found}: ${query.pattern}`);
    },
  }));
  const outside: Contestant = {
    subject: "ripgrep",
    way: ripgrep.way,
    repeats: place.repeats,
    run: () => ripgrep.run(place.folder, query, place.repeats),
  };
  return [...inWorkers, outside];
}

function countsOf(answer: string): string {
  const files = answer === "" ? [] : answer.split("\n");
  return `${files.length} files, ${files.reduce((sum, file) => sum + file.split(",").length, 0)} lines`;
}
