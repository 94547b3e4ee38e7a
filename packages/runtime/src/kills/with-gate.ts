import type { Workspace } from "../workspace.ts";
import { sha256 } from "../hash.ts";

/** Where a turn is when workerd is killed. */
export interface TurnGate {
  /** What is said when it is there. */
  readonly id: string;
  /** The type of an event; or, with `during`, a kind of part that a model says, or a tool. */
  readonly at: string;
  /**
   * `before` and `after`: the first commit with such an event, with nothing else running. `during`: the object waits there, and
   * others go on. `refused`: the storage is full from that event on, and something was refused.
   */
  readonly when: "before" | "after" | "during" | "refused";
  /** Every instance of the object dies there, not only the first. */
  readonly again?: boolean;
}

/** Parts of a kind that have been passed on, and seen by a client, before the object waits for its death. */
const PARTS_BEFORE = 4;

/** Longer than the suite takes. In milliseconds. */
const HELD_MS = 600_000;

/** For so long the storage is full. In seconds. */
const FULL_S = 15;

/** Tables that every turn writes to. */
const FULL_TABLES = ["events", "sessions", "instance", "operations", "blobs", "nodes", "heads", "spent"];

/** A place at which one object waits for its death, once for each instance. */
export class Gate {
  readonly #storage: DurableObjectStorage;
  readonly #parts = new Map<string, number>();
  #gate: TurnGate | undefined;
  #isFound = false;
  #isReached = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#gate = storage.kv.get<TurnGate>("gate");
  }

  arm(gate: TurnGate, journal: Workspace["journal"]): void {
    this.#gate = gate;
    if (gate.again) this.#storage.kv.put("gate", gate);
    if (gate.when === "during") return;
    if (gate.when === "refused") {
      journal.listen((events) => {
        if (events.some(({ type }) => type === gate.at)) this.#fill();
      });
    }
    const write = journal.write.bind(journal);
    journal.write = (session, bodies) => {
      try {
        const events = write(session, bodies);
        if (bodies.some(({ type }) => type === gate.at)) this.#committing(gate);
        return events;
      } catch (error) {
        if (gate.when === "refused") this.#reach(gate);
        throw error;
      }
    };
  }

  /** Returns at once, except at the place of the gate: never, while the object lives. */
  async pass(place: string): Promise<void> {
    const gate = this.#gate;
    if (gate?.when !== "during" || gate.at !== place || this.#isReached) return;
    await this.#storage.sync();
    this.#reach(gate);
    await new Promise((done) => setTimeout(done, HELD_MS));
  }

  /** The same for a part of an answer, once some of its kind have come. */
  async passPart(kind: string): Promise<void> {
    const count = (this.#parts.get(kind) ?? 0) + 1;
    this.#parts.set(kind, count);
    if (count > PARTS_BEFORE) await this.pass(kind);
  }

  #committing(gate: TurnGate): void {
    if (this.#isFound || gate.when === "refused") return;
    this.#isFound = true;
    const die = (): void => {
      this.#reach(gate);
      holdForEver();
    };
    if (gate.when === "before") die();
    // Queued behind the commit that is under way.
    else queueMicrotask(() => void this.#storage.sync().then(die));
  }

  #reach({ id }: TurnGate): void {
    if (!this.#isReached) console.log(`reached ${id}.`);
    this.#isReached = true;
  }

  /** Every write is refused, also by the instances to come, until there is room again. */
  #fill(): void {
    const end = Math.floor(Date.now() / 1000) + FULL_S;
    const refuse = `WHEN unixepoch() < ${end} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`;
    for (const table of FULL_TABLES) {
      for (const kind of ["INSERT", "UPDATE"]) {
        this.#storage.sql.exec(`CREATE TRIGGER full_${kind}_${table} BEFORE ${kind} ON tenrec_${table} ${refuse}`);
      }
    }
  }
}

/** Nothing can be awaited in a commit. Far longer than the suite takes. */
function holdForEver(): void {
  const text = "x".repeat(1_000_000);
  for (let round = 0; round < 20_000; round += 1) sha256(text);
}
