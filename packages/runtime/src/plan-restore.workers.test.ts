import type { DurableEventBody, SessionPoint } from "@tenrec/protocol";
import type { CommitRows, TreeChange } from "@tenrec/vfs";
import { expect, test } from "vitest";
import type { TestAgent } from "../vitest.worker.ts";
import { withAgent } from "./with-agent.ts";

const PATHS = ["/a", "/b", "/d/a", "/d/b", "/d/e/a"];
const SEEDS = 40;

/** Random numbers from 0 to 1, the same ones for a seed. */
function randomOf(seed: number): () => number {
  let s = seed;
  return () => (s = (s * 16_807) % 2_147_483_647) / 2_147_483_647;
}

interface Edit {
  /** Undefined when somebody else made it; else where in the session's journal. */
  readonly seq: number | undefined;
  readonly content: string | undefined;
  /** What an undo can give back: what was there in the newest tree that an event had named before. */
  readonly from: string | undefined;
}

function assertSame(what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} and not ${b}`);
}

/**
 * A session and somebody else who change the same few files, and undos between, beside a model of it: for each path what
 * it was, one edit after another.
 */
class Story {
  readonly #agent: TestAgent;
  readonly #random: () => number;
  readonly #session: string;
  readonly #edits = new Map<string, Edit[]>(
    PATHS.map((path) => [path, [{ seq: undefined, content: undefined, from: undefined }]]),
  );
  /** What was there in the newest tree that an event names. */
  #named = new Map<string, string | undefined>();
  #count = 0;

  constructor(agent: TestAgent, seed: number) {
    this.#agent = agent;
    this.#random = randomOf(seed);
    this.#session = `s${seed}`;
    agent.sessions.create({ id: this.#session, filesFrom: null });
  }

  async run(): Promise<void> {
    const { journal } = this.#agent.workspace;
    for (let n = 0; n < 12; n += 1) {
      const kind = this.#random();
      if (kind < 0.5) await this.#turn();
      else if (kind < 0.75) await this.#change(undefined);
      else await this.#undo();
      await this.#check();
    }
    assertSame("the turn that runs", journal.state(this.#session).turn, undefined);
  }

  get #head(): string {
    return this.#agent.workspace.journal.session(this.#session).head;
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  #contentOf(path: string): string | undefined {
    return this.#edits.get(path)?.at(-1)?.content;
  }

  #name(): void {
    this.#named = new Map(PATHS.map((path) => [path, this.#contentOf(path)]));
  }

  #append(...bodies: DurableEventBody[]): void {
    this.#agent.workspace.journal.append(this.#session, bodies);
  }

  async #turn(): Promise<void> {
    const { journal, trees } = this.#agent.workspace;
    const turn = journal.state(this.#session).turns + 1;
    const tree = (): string => trees.head(this.#head);
    this.#append({ type: "turn-start", turn, operationIds: [], engine: "native", model: "m", tree: tree() });
    this.#name();
    for (let n = 0; n < 3 && this.#random() < 0.7; n += 1) {
      await this.#change(turn);
      if (this.#random() < 0.3) await this.#change(undefined);
    }
    this.#append({ type: "turn-end", turn, reason: "done", text: "", tree: tree() });
  }

  /** One commit with one or two changes, of a call or of somebody else. */
  async #change(turn: number | undefined): Promise<void> {
    const { journal, trees } = this.#agent.workspace;
    using overlay = trees.overlay(trees.head(this.#head));
    const paths = new Set(Array.from({ length: 2 }, () => this.#pick(PATHS)));
    for (const path of paths) {
      this.#count += 1;
      if (this.#random() < 0.3) await overlay.rm(path, { force: true });
      else {
        await overlay.mkdir(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
        await overlay.writeFile(path, `${turn ?? "theirs"} ${this.#count}`);
      }
    }
    const contents = new Map<string, string | undefined>();
    for (const path of paths) {
      contents.set(path, (await overlay.exists(path)) ? await overlay.readFile(path) : undefined);
    }
    let written: ReturnType<typeof journal.write> = [];
    const rows: CommitRows = ({ tree, changes }) => {
      if (turn !== undefined) written = journal.write(this.#session, call(turn, `c${this.#count}`, tree, changes));
    };
    const { changes } = trees.commit(this.#head, await trees.stage(overlay), rows);
    journal.publish(written);
    const seq = turn === undefined ? undefined : journal.state(this.#session).lastSeq;
    for (const { path } of changes) {
      this.#edits.get(path)?.push({ seq, content: contents.get(path), from: this.#named.get(path) });
    }
    if (turn !== undefined) this.#name();
  }

  /** To any turn or call that counts, or to before an undo; forced once in a while. */
  async #undo(): Promise<void> {
    const { journal } = this.#agent.workspace;
    const events = journal.events(this.#session);
    const points = events.flatMap((event): { point: SessionPoint; seq: number }[] => {
      if (event.type === "turn-start") return [{ point: { turn: event.turn }, seq: event.seq - 1 }];
      if (event.type === "undo") return [{ point: { seq: event.seq - 1 }, seq: event.seq - 1 }];
      if (event.type !== "tool-result") return [];
      return [{ point: { turn: event.turn, toolCallId: event.toolCallId }, seq: event.seq }];
    });
    if (points.length === 0) return;
    const point = this.#pick(points);
    const { wanted, conflicts } = this.#expected(point.seq);
    const force = this.#random() < 0.3;
    const before = events.length;
    try {
      await this.#agent.sessions.undo(this.#session, point.point, { force });
    } catch (error) {
      const { code, data } = error as { code: string; data: { paths: string[] } };
      assertSame("events", journal.events(this.#session).length, before);
      if (code === "point-not-found") return;
      assertSame("the refusal", [code, force, data.paths], ["undo-conflict", false, conflicts]);
      return;
    }
    if (!force) assertSame("the conflicts", conflicts, []);
    const seq = journal.state(this.#session).lastSeq;
    for (const [path, content] of wanted) {
      const from = this.#contentOf(path);
      if (content !== from) this.#edits.get(path)?.push({ seq, content, from });
    }
    this.#name();
  }

  /** What each path that changes is to be, and where somebody else is in the way. */
  #expected(toSeq: number): { wanted: Map<string, string | undefined>; conflicts: string[] } {
    const wanted = new Map<string, string | undefined>();
    const conflicts: string[] = [];
    for (const [path, edits] of this.#edits) {
      const first = edits.findIndex(({ seq }) => seq !== undefined && seq > toSeq);
      if (first === -1) continue;
      const content = edits[first]?.from;
      wanted.set(path, content);
      const own = edits.flatMap(({ seq }, i) => (i >= first && seq !== undefined ? [i] : []));
      const isLost = content !== edits[first - 1]?.content;
      const isTouched = own.some((i, n) => {
        const next = own[n + 1] === undefined ? edits.length - 1 : (own[n + 1] ?? 0) - 1;
        return edits[i]?.content !== edits[next]?.content;
      });
      if ((isLost || isTouched) && content !== edits.at(-1)?.content) conflicts.push(path);
    }
    return { wanted, conflicts: conflicts.sort() };
  }

  async #check(): Promise<void> {
    const { trees } = this.#agent.workspace;
    using overlay = trees.overlay(trees.head(this.#head));
    for (const path of PATHS) {
      const content = (await overlay.exists(path)) ? await overlay.readFile(path) : undefined;
      assertSame(path, content, this.#contentOf(path));
    }
  }
}

function call(turn: number, toolCallId: string, tree: string, changes: readonly TreeChange[]): DurableEventBody[] {
  const of = { turn, step: 1, toolCallId, toolName: "edit" };
  return [
    { ...of, type: "tool-call", input: {}, replay: "transaction", permission: "edit" },
    ...changes.map((change) => ({ type: "file-change", turn, toolCallId, ...change }) as const),
    { ...of, type: "tool-result", status: "ok", output: { text: "" }, durationMs: 0, tree },
  ];
}

test("whoever changes what, each file is what the edits before say, or a conflict that names it", async () => {
  const agent = await withAgent({ says: [] });
  await agent.inside(async (a) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      await expect(new Story(a, seed).run(), `seed ${seed}`).resolves.toBeUndefined();
    }
  });
}, 60_000);
