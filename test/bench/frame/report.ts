import { type Comparison, type Goal, goalRow, type Measurement, ratioOf, type Unit } from "./rows.ts";
import { summarize } from "./statistics.ts";

/** Takes measurements and goals; prints them as JSON lines, and progress for a person. */
export class Report {
  readonly #bench: string;
  readonly #print: (line: string) => void;
  readonly #say: (line: string) => void;
  readonly #medians = new Map<string, number>();
  readonly #goals: Comparison[] = [];
  readonly #failures: string[] = [];

  constructor(bench: string, print: (line: string) => void, say: (line: string) => void) {
    this.#bench = bench;
    this.#print = print;
    this.#say = say;
  }

  say(line: string): void {
    this.#say(line);
  }

  measured(name: string, subject: string, values: readonly number[], unit: Unit = "ms"): void {
    const row: Measurement = { bench: this.#bench, case: name, subject, unit, ...summarize(values) };
    this.#medians.set(key(name, subject), row.median);
    this.#print(JSON.stringify(row));
    this.#say(`    ${subject.padEnd(9)} ${row.median} ${unit}  (${row.min} to ${row.max}, ${row.runs} runs)`);
  }

  /** The printed median; undefined for what was not measured. */
  median(name: string, subject: string): number | undefined {
    return this.#medians.get(key(name, subject));
  }

  /** Tenrec has to be `goal` times as fast as this peer in this case. Nothing to judge where one was not measured. */
  expectRatio(name: string, peer: string, goal: number): void {
    const [ours, theirs] = [this.median(name, "tenrec"), this.median(name, peer)];
    if (ours !== undefined && theirs !== undefined) {
      this.expect({ case: name, peer, ratio: ratioOf(theirs, ours), goal });
    }
  }

  /** Tenrec has to stay within a limit in this case. */
  expectAtMost(name: string, limit: number, unit: Unit): void {
    const ours = this.median(name, "tenrec");
    if (ours !== undefined) this.expect({ case: name, peer: `${limit} ${unit}`, ratio: ratioOf(limit, ours), goal: 1 });
  }

  expect(comparison: Comparison): void {
    this.#goals.push(comparison);
  }

  /** Something is wrong, so that the figures are worth nothing: the run goes on and fails. */
  fail(problem: string): void {
    this.#failures.push(problem);
    this.#say(`    WRONG: ${problem}`);
  }

  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Prints the goals after all measurements, and returns them. */
  finish(): Goal[] {
    const rows = this.#goals.map((comparison) => goalRow(this.#bench, comparison));
    for (const row of rows) this.#print(JSON.stringify(row));
    return rows;
  }
}

function key(name: string, subject: string): string {
  return `${name}\0${subject}`;
}
