import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnAsk, TurnVerdict } from "../../packages/runtime/kill.worker.ts";
import type { Outcome } from "./run-points.ts";
import { Server } from "./server.ts";
import { Tab } from "./tab.ts";
import type { TurnPoint } from "./turn-points.ts";

/** Within this time an object goes on by itself, after its death at the latest. In milliseconds. */
const ALARM_MS = 45_000;
/** A turn goes on within this time once a client has come back. In milliseconds. */
const CLIENT_MS = 5000;

const config = join(import.meta.dirname, "turns", "wrangler.jsonc");

/**
 * Kills workerd in the middle of turns, one object for each point, then starts it once more and lets nobody ask for a while:
 * what was under way must have come to its end by its alarms alone. Only then do the clients come back.
 */
export async function runTurnPoints(points: readonly TurnPoint[], say: (outcome: Outcome) => void): Promise<Outcome[]> {
  const suite = new TurnSuite();
  const outcomes: Outcome[] = [];
  try {
    const waiting = points.filter(({ when }) => when === "during" || when === "refused");
    for (const point of points.filter((one) => !waiting.includes(one))) await suite.kill([point]);
    // Those that wait without blocking die together.
    if (waiting.length > 0) await suite.kill(waiting);
    for (const point of points) for (let n = 1; n < (point.times ?? 1); n += 1) await suite.killAgain(point);
    await suite.letAlone();
    for (const point of points) {
      const outcome = await suite.judge(point);
      outcomes.push(outcome);
      say(outcome);
    }
    return outcomes;
  } finally {
    await suite.end();
  }
}

/** An object with its client. */
interface Subject {
  readonly tab: Tab;
  isCovered: boolean;
  /** Deaths of the server before it was there. */
  readonly killsBefore: number;
}

class TurnSuite {
  readonly #folder = mkdtempSync(join(tmpdir(), "tenrec-kill-"));
  readonly #subjects = new Map<string, Subject>();
  #kills = 0;
  #server = this.#start();

  async kill(group: readonly TurnPoint[]): Promise<void> {
    for (const { name, scenario, journal } of group) {
      await this.#ask<null>(name, { do: "set up", scenario, ...(journal ? { journal } : {}) });
      const tab = new Tab();
      await tab.open(await this.#server.address(objectOf(name)));
      this.#subjects.set(name, { tab, isCovered: false, killsBefore: this.#kills });
    }
    for (const { name, at, when, times = 1 } of group) {
      // Never answered: the server dies first.
      this.#ask(name, { do: "run", gate: { id: name, at, when, again: times > 1 } }).catch(() => {});
    }
    for (const point of group) this.#subject(point).isCovered = await this.#isThere(point);
    await this.#restart();
  }

  async #isThere(point: TurnPoint): Promise<boolean> {
    const isReached = await this.#server.reached(point.name);
    return isReached && (!point.at.endsWith("-delta") || (await this.#subject(point).tab.hears()));
  }

  /** Wakes an object, which goes on up to the same point. */
  async killAgain(point: TurnPoint): Promise<void> {
    const subject = this.#subject(point);
    this.#ask(point.name, { do: "judge", kills: this.#kills }).catch(() => {});
    subject.isCovered &&= await this.#server.reached(point.name);
    await this.#restart();
  }

  async letAlone(): Promise<void> {
    // The server answers when it runs.
    await this.#server.address("");
    await new Promise((done) => setTimeout(done, ALARM_MS));
  }

  async judge(point: TurnPoint): Promise<Outcome> {
    const { name, needsClient } = point;
    const { tab, isCovered, killsBefore } = this.#subject(point);
    const judge: TurnAsk = { do: "judge", kills: this.#kills - killsBefore };
    let verdict = await this.#ask<TurnVerdict>(name, judge);
    const problems = [...verdict.problems];
    if (needsClient && verdict.reason === undefined) {
      await this.#ask(name, { do: "go on" });
      await new Promise((done) => setTimeout(done, CLIENT_MS));
      verdict = await this.#ask<TurnVerdict>(name, judge);
      problems.push(...verdict.problems);
    }
    const { reason, expected, lastSeq } = verdict;
    if (reason !== expected) problems.push(`I7: the turn ended as ${reason}, not as ${expected}`);
    problems.push(...(await tab.problems(await this.#server.address(objectOf(name)), lastSeq)));
    return { name, owner: "turns", isCovered, violations: problems };
  }

  async end(): Promise<void> {
    await this.#server.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #subject({ name }: TurnPoint): Subject {
    const subject = this.#subjects.get(name);
    if (!subject) throw new Error(`${name} was not set up`);
    return subject;
  }

  #ask<T>(name: string, asked: TurnAsk): Promise<T> {
    return this.#server.ask<T>(objectOf(name), asked);
  }

  /** Each start is a deployment of other code. */
  #start(): Server {
    return new Server(config, this.#folder, { CODE: `${this.#kills + 1}` });
  }

  async #restart(): Promise<void> {
    await this.#server.kill();
    this.#kills += 1;
    for (const { tab } of this.#subjects.values()) tab.lose();
    this.#server = this.#start();
  }
}

function objectOf(name: string): string {
  return `/agents/kill/${encodeURIComponent(name)}`;
}
