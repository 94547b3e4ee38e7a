import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_VERSION } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { type Folds, foldsOf, fromLines, storedJournal } from "./golden/with-reading.ts";
import { RECORDINGS, record } from "./golden/with-recordings.ts";

const folder = join(import.meta.dirname, "golden");
const read = (version: string, file: string): string => readFileSync(join(folder, version, file), "utf8");
const versions = readdirSync(folder).filter((name) => /^v\d+$/.test(name));

test("every version of the journal up to this one is recorded", () => {
  expect(versions.toSorted()).toEqual(Array.from({ length: JOURNAL_VERSION }, (_, i) => `v${i + 1}`).toSorted());
  const recorded = readdirSync(join(folder, `v${JOURNAL_VERSION}`));
  expect(recorded.toSorted()).toEqual(RECORDINGS.flatMap(({ name }) => [`${name}.json`, `${name}.jsonl`]).toSorted());
});

describe.each(versions)("a journal of %s", (version) => {
  const names = readdirSync(join(folder, version)).filter((file) => file.endsWith(".jsonl"));
  test.each(names)("%s means what it meant", (file) => {
    const recording = fromLines(read(version, file));
    expect(recording.version).toBe(Number(version.slice(1)));
    const { journal, session } = storedJournal(recording.version, recording.events);
    const expected = JSON.parse(read(version, file.replace(".jsonl", ".json"))) as Folds;
    const folds = foldsOf(journal, session);
    // What a later version knows beside it may be there too, except for what a model is told.
    expect(folds).toMatchObject({ ...expected });
    expect(folds.messages).toEqual(expected.messages);
  });

  test.each(names)("%s means the same with events that nobody knows between its own", (file) => {
    const { version: number, events } = fromLines(read(version, file));
    const unknown = { type: "of-a-later-minor-version", turn: 1, toolCallId: "x", text: "?" };
    const more = events.flatMap((event) => [event, { ...event, ...unknown }]).map((e, i) => ({ ...e, seq: i + 1 }));
    const { journal, session } = storedJournal(number, more as typeof events);
    const plain = storedJournal(number, events);
    const seen = (folds: Folds): object => ({ ...folds, state: { ...folds.state, lastSeq: 0, settled: [] } });
    // Results of calls carry their own place in the journal.
    const text = (folds: Folds): string => JSON.stringify(seen(folds)).replaceAll(/"seq":\d+/g, "");
    expect(text(foldsOf(journal, session))).toBe(text(foldsOf(plain.journal, plain.session)));
  });
});

test("a journal of a later version is refused, and says what to do", () => {
  const { journal, session } = storedJournal(JOURNAL_VERSION + 1, []);
  expect(() => journal.state(session)).toThrow(/Deploy a version of @tenrec\/runtime that is at least as new/);
});

test.each(RECORDINGS)("$name is what the loop does today", async (recording) => {
  const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);
  const recorded = fromLines(read(`v${JOURNAL_VERSION}`, `${recording.name}.jsonl`));
  expect(types(await record(recording))).toEqual(types(recorded.events));
});
