import { TenrecError } from "@tenrec/protocol";
import { createNodeStorage } from "@tenrec/vfs/testing";
import { expect, test } from "vitest";
import { createInstance, type Instance, prepareStorage } from "./simulation/with-instance.ts";
import { plainConfig } from "./with-plain-config.ts";

test("an interruption that could not be counted, with the storage full, is counted with the next try", async () => {
  const storage = createNodeStorage();
  prepareStorage(storage, ["s"], () => "none/none");
  const begin = (): Instance =>
    createInstance({
      storage,
      clock: { now: () => 0, sleep: () => new Promise(() => {}) },
      random: () => 0,
      // Ends the turn as soon as it goes on.
      config: plainConfig("none/none", () =>
        Promise.reject(new TenrecError("model-unknown", { model: "none/none", known: [] })),
      ),
      sockets: { accept: () => {}, get: () => [] },
      jobs: {
        get: () => undefined,
        push: async (job) => ({ id: "drive", ...job }) as never,
        cancel: async () => false,
      },
      every: () => () => {},
    });
  const { journal } = begin().workspace;
  journal.append("s", [
    { type: "input", operationId: "op", parts: [{ type: "text", text: "go" }], whenBusy: "followUp" },
    { type: "turn-start", turn: 1, operationIds: ["op"], engine: "native", model: "none/none", tree: "" },
  ]);
  const { sql } = storage;
  sql.exec("CREATE TABLE counted (n INTEGER)");
  const refuse = "BEGIN SELECT RAISE(ABORT, 'disk is full'); END";
  sql.exec(`CREATE TRIGGER full_rows BEFORE UPDATE ON tenrec_sessions ${refuse}`);
  sql.exec(`CREATE TRIGGER full_events BEFORE INSERT ON tenrec_events ${refuse}`);
  const { drive } = begin();
  expect(await drive.run()).toEqual({ rescheduleAt: 30_000 });
  sql.exec("DROP TRIGGER full_rows");
  sql.exec("DROP TRIGGER full_events");
  sql.exec(
    "CREATE TRIGGER count AFTER UPDATE ON tenrec_sessions BEGIN INSERT INTO counted VALUES (NEW.interruptions); END",
  );
  expect(await drive.run()).toBeUndefined();
  expect(sql.exec<{ n: number }>("SELECT n FROM counted").toArray()).toEqual([{ n: 1 }, { n: 0 }]);
});
