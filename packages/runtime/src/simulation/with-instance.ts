import { type Clock, errorJson } from "@tenrec/protocol";
import { type StorageLike, TreeStore, typedStorage } from "@tenrec/vfs";
import type { AgentConfig } from "../agent-config.ts";
import { Deltas } from "../deltas.ts";
import { DriveJob, type DriveJobPorts } from "../drive-job.ts";
import { Driver } from "../driver.ts";
import { Journal } from "../journal.ts";
import { redactEvent } from "../redaction/redact-json.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { Sessions } from "../sessions.ts";
import { type SocketHost, Sockets } from "../sockets.ts";
import { MAIN_HEAD, type Workspace } from "../workspace.ts";

export interface InstancePorts {
  readonly storage: StorageLike;
  readonly clock: Clock;
  readonly random: () => number;
  readonly config: AgentConfig;
  readonly sockets: SocketHost;
  readonly jobs: DriveJobPorts["jobs"];
  readonly every: DriveJobPorts["every"];
}

/** An object's memory: what the capability makes of its ports. */
export interface Instance {
  readonly workspace: Workspace;
  readonly drive: DriveJob;
  readonly sessions: Sessions;
  readonly sockets: Sockets;
}

export function createInstance(ports: InstancePorts): Instance {
  const { clock, config, random } = ports;
  const storage = typedStorage(ports.storage);
  const now = (): number => clock.now();
  const trees = new TreeStore(storage, { now });
  const redactor = createRedactor(config.secrets);
  const journal = new Journal(storage, now, (body) => redactEvent(body, redactor));
  journal.claim();
  const deltas = new Deltas(redactor);
  journal.listen((events) => deltas.settle(events));
  const workspace: Workspace = { storage, journal, trees, deltas, clock, config, random, redactor };
  const driver = new Driver(workspace);
  const drive = new DriveJob(() => driver, {
    jobs: ports.jobs,
    clock,
    every: ports.every,
    onSlice: async () => {},
    explain: (error) => errorJson(error).message,
  });
  const sessions = new Sessions(workspace, {
    schedule: (session) => drive.schedule(session),
    interrupt: (session, reason) => driver.interrupt(session, reason),
    isWorking: (session) => driver.isWorking(session),
    planMaintenance: async () => {},
  });
  return { workspace, drive, sessions, sockets: new Sockets(workspace, sessions, ports.sockets) };
}

/** What the first instance of an object finds and makes. */
export function prepareStorage(
  storage: StorageLike,
  sessions: readonly string[],
  model: (session: string) => string,
): void {
  const trees = new TreeStore(storage, { now: () => 0 });
  trees.setHead(MAIN_HEAD, trees.emptyTree);
  const journal = new Journal(storage, () => 0);
  for (const id of sessions) {
    journal.createSession(id, MAIN_HEAD);
    journal.append(id, [{ type: "session-change", model: model(id) }]);
  }
}
