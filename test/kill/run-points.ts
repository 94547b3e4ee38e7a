import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommitLoop, Point } from "./points.ts";
import { Server } from "./server.ts";

/** What an object says of itself when nothing kills it. */
interface Measured {
  readonly worlds: readonly string[];
  readonly boundaries: readonly { readonly name: string; readonly step: number }[];
}

interface Verdict {
  readonly world: string;
  readonly problems: readonly string[];
  readonly commits: number;
}

/** How one point ended. */
export interface Outcome {
  readonly name: string;
  readonly owner: string;
  /** False when the run did not stop there: nothing is known then. */
  readonly isCovered: boolean;
  /** Each begins with the invariant that is violated. */
  readonly violations: readonly string[];
}

const config = join(import.meta.dirname, "tree", "wrangler.jsonc");

/** Kills workerd at the points and looks at what is left, on a storage of its own. `random` gives numbers from 0 to 1. */
export async function runPoints(
  { points, loops }: { readonly points: readonly Point[]; readonly loops: readonly CommitLoop[] },
  random: () => number,
  say: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-kill-"));
  const outcomes: Outcome[] = [];
  const suite = new Suite(folder);
  try {
    // Those that wait without blocking die together.
    const groups = [
      points.filter(({ blocks }) => !blocks),
      ...points.filter(({ blocks }) => blocks).map((one) => [one]),
    ];
    for (const group of groups.filter(({ length }) => length > 0)) {
      for (const outcome of await suite.kill(group)) report(outcome);
    }
    for (const loop of loops) report({ ...loop, ...(await suite.killCommits(loop.name, random)) });
  } finally {
    await suite.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;

  function report(outcome: Outcome): void {
    outcomes.push(outcome);
    say(outcome);
  }
}

class Suite {
  readonly #folder: string;
  readonly #measured = new Map<string, Promise<Measured>>();
  #server: Server;

  constructor(folder: string) {
    this.#folder = folder;
    this.#server = new Server(config, folder);
  }

  async kill(group: readonly Point[]): Promise<Outcome[]> {
    const allowed = new Map<string, readonly string[]>();
    for (const point of group) {
      await this.#server.ask(objectOf(point.name), { do: "set up", scenario: point.scenario });
      allowed.set(point.name, await this.#allowedAt(point));
    }
    const covered: boolean[] = [];
    for (const [index, { name, scenario, boundary, nth }] of group.entries()) {
      const gate = { id: `${index}`, boundary, nth };
      // Never answered: the server dies first.
      this.#server.ask(objectOf(name), { do: "run", scenario, gate }).catch(() => {});
      covered.push(await this.#server.reached(`${index}`));
    }
    await this.#restart();
    const outcomes: Outcome[] = [];
    for (const [index, { name, owner }] of group.entries()) {
      const { world, problems } = await this.#server.ask<Verdict>(objectOf(name), { do: "judge" });
      const isAllowed = allowed.get(name)?.includes(world) ?? false;
      const wrong = isAllowed ? problems : [...problems, "neither the state before nor the one after"];
      outcomes.push({
        name,
        owner,
        isCovered: covered[index] ?? false,
        violations: wrong.map((text) => `I4: ${text}`),
      });
    }
    return outcomes;
  }

  async killCommits(name: string, random: () => number): Promise<Pick<Outcome, "isCovered" | "violations">> {
    let acknowledged = 0;
    let isOver = false;
    const commits = (async () => {
      while (!isOver) {
        await this.#server.ask(objectOf(name), { do: "commit", number: acknowledged });
        acknowledged++;
      }
    })().catch(() => {});
    await new Promise((done) => setTimeout(done, 700 + random() * 800));
    await this.#restart();
    isOver = true;
    await commits;
    const { commits: kept, problems } = await this.#server.ask<Verdict>(objectOf(name), { do: "judge" });
    const isRight = kept === acknowledged || kept === acknowledged + 1;
    const damages = problems.map((text) => `I4: ${text}`);
    const violations = isRight
      ? damages
      : [...damages, `I1: ${acknowledged} commits were acknowledged, ${kept} are there`];
    return { isCovered: acknowledged > 10, violations };
  }

  async stop(): Promise<void> {
    await this.#server.kill();
  }

  async #restart(): Promise<void> {
    await this.#server.kill();
    this.#server = new Server(config, this.#folder);
  }

  async #allowedAt({ scenario, boundary, nth }: Point): Promise<readonly string[]> {
    let measured = this.#measured.get(scenario);
    if (measured === undefined) {
      measured = this.#server.ask<Measured>(objectOf(`measured ${scenario}`), { do: "measure", scenario });
      this.#measured.set(scenario, measured);
    }
    const { worlds, boundaries } = await measured;
    const name = boundary.replace(/^during /, "before ");
    const step = boundaries.filter((one) => one.name === name)[nth - 1]?.step ?? 0;
    return worlds.slice(step, step + 2);
  }
}

function objectOf(name: string): string {
  return `/${encodeURIComponent(name)}`;
}
