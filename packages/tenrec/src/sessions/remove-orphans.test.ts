import { existsSync, mkdirSync, mkdtempSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionFolder } from "../run/session-place.ts";
import { openSessionStore } from "../store/session-store.ts";
import { removeOrphans } from "./remove-orphans.ts";

test("removes the folder of a run that was killed while it copied, and no other", async () => {
  const data = mkdtempSync(join(tmpdir(), "tenrec-orphans-"));
  const store = openSessionStore(data, { now: () => 0 });
  await removeOrphans(data, store, 0);
  await store.create({ id: "kept", dir: "/x", title: "", model: "a/b", base: { entries: {} } });
  for (const id of ["kept", "killed", "young"]) mkdirSync(sessionFolder(data, id), { recursive: true });
  for (const id of ["kept", "killed"]) utimesSync(sessionFolder(data, id), 0, 0);
  await removeOrphans(data, store, Date.now());
  expect(["kept", "killed", "young"].map((id) => existsSync(sessionFolder(data, id)))).toEqual([true, false, true]);
});
