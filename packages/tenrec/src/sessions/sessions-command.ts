import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { hasCode } from "@tenrec/protocol";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import { nearest } from "../cli/nearest.ts";
import type { ParsedCommand } from "../cli/parse-command.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { UsageError } from "../cli/usage-error.ts";
import { awaitOldServer } from "../run/old-server.ts";
import { sessionFolder, withSession } from "../run/session-place.ts";
import { openSessionStore, type SessionStore } from "../store/session-store.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { sessionTable } from "./session-table.ts";

/** `tenrec sessions`. */
export async function sessionsCommand({ words, switches }: ParsedCommand, around: Surroundings): Promise<ExitCode> {
  const [subcommand, ...ids] = words;
  if (subcommand === undefined) return list(switches.has("json"), around);
  if (subcommand !== "rm") {
    const advice = nearest(subcommand, ["rm"]) === undefined ? "" : " Did you mean rm?";
    throw new UsageError(`There is no "tenrec sessions ${subcommand}".${advice} See: tenrec sessions --help`);
  }
  if (ids.length === 0) throw new UsageError("Name the sessions to remove: tenrec sessions rm <id>…");
  for (const id of ids) await remove(id, around);
  return EXIT.done;
}

async function list(isJson: boolean, around: Surroundings): Promise<ExitCode> {
  const { data, stdout, stderr, width, now } = around;
  await removeOrphans(data, openSessionStore(data, around), now());
  const { sessions, unreadable } = await openSessionStore(data, around).list();
  for (const { file, reason } of unreadable) stderr.write(`${file} cannot be read: ${reason}\n`);
  if (isJson) {
    for (const { base: _, ...record } of sessions) stdout.write(`${JSON.stringify(record)}\n`);
  } else {
    stdout.write(sessionTable(sessions, width, now()));
  }
  return EXIT.done;
}

/** Also of a session whose record cannot be read. */
async function wholeId(store: SessionStore, prefix: string): Promise<string> {
  try {
    return (await store.get(prefix)).id;
  } catch (error) {
    if (hasCode(error, "EIO")) return basename(error.data.path, ".json");
    throw error;
  }
}

async function remove(prefix: string, around: Surroundings): Promise<void> {
  const { data, stdout } = around;
  const store = openSessionStore(data, around);
  const id = await wholeId(store, prefix);
  await withSession(data, id, awaitOldServer);
  await store.remove(id);
  await rm(sessionFolder(data, id), { recursive: true, force: true });
  stdout.write(`${id} is removed.\n`);
}
