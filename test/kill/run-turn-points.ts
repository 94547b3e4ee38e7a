import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "./run-points.ts";
import { Server } from "./server.ts";
import { turnPoints } from "./turn-points.ts";

/** Within this time an object goes on by itself, after its death at the latest. In milliseconds. */
const ALARM_MS = 45_000;

interface Verdict {
  readonly reason: string | undefined;
  readonly problems: readonly string[];
}

const config = join(import.meta.dirname, "turns", "wrangler.jsonc");

/**
 * Kills workerd in the middle of turns, one object for each point, then starts it once more and lets nobody ask for a while:
 * what was under way must have come to its end by its alarms alone.
 */
export async function runTurnPoints(say: (outcome: Outcome) => void): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-kill-"));
  const covered = new Map<string, boolean>();
  const outcomes: Outcome[] = [];
  let server = new Server(config, folder);
  try {
    for (const [index, { name, at, when }] of turnPoints.entries()) {
      const gate = { id: `${index}`, at, when };
      // Never answered: the server dies first.
      server.ask(objectOf(name), { do: "run", gate }).catch(() => {});
      covered.set(name, await server.reached(`${index}`));
      await server.kill();
      server = new Server(config, folder);
    }
    // Any object: the server answers when it runs.
    await server.ask("/ready", { do: "judge", kills: 0 });
    await new Promise((done) => setTimeout(done, ALARM_MS));
    for (const [index, { name, at, when }] of turnPoints.entries()) {
      // An early object may have gone on already when workerd was killed for a later point.
      const judge = { do: "judge", kills: turnPoints.length - index };
      let verdict = await server.ask<Verdict>(objectOf(name), judge);
      const problems = [...verdict.problems];
      if (at === "input" && when === "before" && verdict.reason === undefined) {
        // Nobody was told that it was accepted, so the client sends it again.
        await server.ask(objectOf(name), { do: "submit" });
        await new Promise((done) => setTimeout(done, 5000));
        verdict = await server.ask<Verdict>(objectOf(name), judge);
        problems.push(...verdict.problems);
      }
      if (verdict.reason !== "done") problems.push(`I7: the turn ended as ${verdict.reason}`);
      const outcome = { name, owner: "turns", isCovered: covered.get(name) ?? false, violations: problems };
      outcomes.push(outcome);
      say(outcome);
    }
    return outcomes;
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function objectOf(name: string): string {
  return `/${encodeURIComponent(name)}`;
}
