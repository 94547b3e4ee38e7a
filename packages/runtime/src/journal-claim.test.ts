import { createNodeStorage, type NodeStorage } from "@tenrec/vfs/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { Journal } from "./journal.ts";
import { MAIN_HEAD } from "./workspace.ts";

const FULL = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";

let storage: NodeStorage;

beforeEach(() => {
  storage = createNodeStorage();
  new Journal(storage, () => 0).createSession("s", MAIN_HEAD);
});

function begin(): Journal {
  const journal = new Journal(storage, () => 0);
  journal.claim();
  return journal;
}

function fill(): void {
  storage.sql.exec(`CREATE TRIGGER full_insert BEFORE INSERT ON tenrec_instance ${FULL}`);
  storage.sql.exec(`CREATE TRIGGER full_update BEFORE UPDATE ON tenrec_instance ${FULL}`);
}

function makeRoom(): void {
  storage.sql.exec("DROP TRIGGER full_insert");
  storage.sql.exec("DROP TRIGGER full_update");
}

function write(journal: Journal): void {
  journal.append("s", [{ type: "session-change", title: "t" }]);
}

const replaced = expect.objectContaining({ code: "aborted" });

test("an instance that claims the journal fences off the one before", () => {
  const [older, newer] = [begin(), begin()];
  expect(() => write(older)).toThrow(replaced);
  expect(() => older.requireClaim()).toThrow(replaced);
  write(newer);
  expect(newer.state("s").lastSeq).toBe(1);
});

describe.each([
  ["the first instance", () => {}],
  ["a later instance", () => void begin()],
])("%s that begins with the storage full", (_name, before) => {
  let late: Journal;

  beforeEach(() => {
    before();
    fill();
    late = begin();
  });

  test("may not work until there is room, and then claims the journal", () => {
    expect(() => late.requireClaim()).toThrow("full");
    makeRoom();
    late.requireClaim();
    write(late);
    const newer = begin();
    expect(() => late.assertCurrent()).toThrow(replaced);
    write(newer);
  });

  test("does not take the journal from one that has claimed it since", () => {
    makeRoom();
    const newer = begin();
    expect(() => late.requireClaim()).toThrow(replaced);
    expect(() => late.assertCurrent()).toThrow(replaced);
    expect(() => write(late)).toThrow(replaced);
    write(newer);
  });
});
