import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentClient, connect } from "@tenrec/runtime/client";
import { packTar } from "@tenrec/vfs/folder";
import { type PreviewPoint, SHOWN_APP, shownApp } from "./preview-points.ts";
import type { Outcome } from "./run-points.ts";
import { Server } from "./server.ts";

const config = join(import.meta.dirname, "previews", "wrangler.jsonc");
const variables = { TENREC_TOKEN: "kill", TENREC_SECRET: "kill".repeat(10) };

/** An app needs a part of a second to start. In milliseconds. */
const STARTING_MS = 80;
/** How long requests are made, at least and at most. In milliseconds. */
const [LEAST_MS, MOST_MS] = [500, 1300];

/** What the app says of itself. */
interface Shown {
  readonly late: string;
  readonly counts: readonly [number, number];
  readonly kv: number;
}

/** Kills workerd beside previews, each of a workspace of its own, and asks at the same address again. */
export async function runPreviewPoints(
  points: readonly PreviewPoint[],
  random: () => number,
  say: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const suite = new PreviewSuite();
  const outcomes: Outcome[] = [];
  try {
    for (const point of points) {
      const outcome = await suite.kill(point, random);
      outcomes.push(outcome);
      say(outcome);
    }
    return outcomes;
  } finally {
    await suite.end();
  }
}

class PreviewSuite {
  readonly #folder = mkdtempSync(join(tmpdir(), "tenrec-kill-"));
  #server = this.#start();

  async kill(point: PreviewPoint, random: () => number): Promise<Outcome> {
    const session = await (await this.#agent(point)).sessions.create();
    await session.files.import(packTar(shownApp()));
    const path = new URL((await session.preview()).url).pathname;
    const events = await session.history();
    const { isCovered, said } = await this.#dieIn(point, path, random);
    this.#server = this.#start();

    const after = (await this.#agent(point)).session(session.id);
    const problems: string[] = [];
    const shown = await this.#ask<Shown>(path).catch((error: unknown) => void problems.push(`I7: ${String(error)}`));
    if (shown) problems.push(...wrongIn(shown, point, said));
    for (const [name, text] of Object.entries(SHOWN_APP)) {
      if ((await after.files.read(`/${name}`)).text !== text) problems.push(`I4: ${name} is another file`);
    }
    const told = (await after.history()).slice(0, events.length);
    if (JSON.stringify(told) !== JSON.stringify(events)) problems.push("I1: the journal has lost or changed events");
    return { name: point.name, owner: "previews", isCovered, violations: problems };
  }

  async end(): Promise<void> {
    await this.#server.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Whether the app was in the middle of it, and how many requests it has answered before. */
  async #dieIn(
    { path, when }: PreviewPoint,
    at: string,
    random: () => number,
  ): Promise<{ isCovered: boolean; said: number }> {
    if (when === "speaking") {
      const { body } = await fetch(await this.#server.address(at + path));
      const { value } = (await body?.getReader().read()) ?? {};
      await this.#server.kill();
      return { isCovered: new TextDecoder().decode(value).startsWith("whole"), said: 0 };
    }
    let said = 0;
    let isOver = false;
    const asking = (async () => {
      do {
        await this.#ask(at + path);
        said += 1;
      } while (!isOver && when === "loop");
    })().catch(() => {});
    if (when === "silent") {
      await pause(STARTING_MS);
      const isCovered = said === 0;
      await this.#server.kill();
      return { isCovered, said };
    }
    while (said === 0) await pause(10);
    await pause(LEAST_MS + random() * (MOST_MS - LEAST_MS));
    const answered = said;
    await this.#server.kill();
    isOver = true;
    await asking;
    return { isCovered: answered > 5, said };
  }

  async #ask<T>(path: string): Promise<T> {
    const response = await fetch(await this.#server.address(path));
    if (!response.ok) throw new Error(`the preview answers with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  async #agent({ name }: PreviewPoint): Promise<AgentClient> {
    const address = await this.#server.address(`/agents/shown/${name.replaceAll(" ", "-")}`);
    return connect(address, { token: variables.TENREC_TOKEN });
  }

  #start(): Server {
    return new Server(config, this.#folder, variables);
  }
}

function wrongIn({ late, counts: [a, b], kv }: Shown, { path }: PreviewPoint, said: number): string[] {
  const problems: string[] = [];
  if (late !== "whole") problems.push("I4: the app is not whole");
  if (a !== b) problems.push(`I4: one half of a transaction of the object is there: ${a} and ${b}`);
  const kept = path === "count" ? a : path === "kv" ? kv : said;
  // The one that was under way may be there or not.
  if (kept !== said && kept !== said + 1) problems.push(`I1: ${said} writes were acknowledged, ${kept} are there`);
  return problems;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
