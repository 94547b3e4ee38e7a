import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { awaitOldServer, rememberServer } from "./old-server.ts";

test("waits until the server of a killed command has ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-old-"));
  await awaitOldServer(folder);
  const server = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  rememberServer(folder, server.pid);
  let isOver = false;
  const waiting = awaitOldServer(folder).then(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isOver).toBe(false);
  server.kill();
  await once(server, "exit");
  await waiting;
});
