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
import { exportText } from "./export-text.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { sessionTable } from "./session-table.ts";
import { undoTurn } from "./undo-turn.ts";

/** `tenrec sessions`. */
export async function sessionsCommand(parsed: ParsedCommand, around: Surroundings): Promise<ExitCode> {
  const { words, switches, spec } = parsed;
  const [subcommand, ...rest] = words;
  switch (subcommand) {
    case undefined:
      return list(switches.has("json"), around);
    case "rm":
      if (rest.length === 0) throw new UsageError("Name the sessions to remove: tenrec sessions rm <id>…");
      for (const id of rest) await remove(id, around);
      return EXIT.done;
    case "rename":
      return rename(rest, around);
    case "undo":
      return undoTurn(onlyId(subcommand, rest), parsed, around);
    case "export":
      return exportText(onlyId(subcommand, rest), switches.has("markdown"), around);
    default: {
      const like = nearest(subcommand, spec.subcommands ?? []);
      const advice = like === undefined ? "" : ` Did you mean ${like}?`;
      throw new UsageError(`There is no "tenrec sessions ${subcommand}".${advice} See: tenrec sessions --help`);
    }
  }
}

function onlyId(subcommand: string, words: readonly string[]): string {
  const [id, ...more] = words;
  if (id !== undefined && more.length === 0) return id;
  throw new UsageError(`Name one session: tenrec sessions ${subcommand} <id>. See: tenrec sessions --help`);
}

/** The title is the list's: nothing has to be started for it. */
async function rename(words: readonly string[], around: Surroundings): Promise<ExitCode> {
  const [prefix, title, ...more] = words;
  if (prefix === undefined || !title?.trim() || more.length > 0) {
    throw new UsageError('Name a session and its title: tenrec sessions rename <id> "<title>"');
  }
  const { id } = await openSessionStore(around.data, around).update(prefix, { title: title.trim().slice(0, 80) });
  around.stdout.write(`${id} is renamed.\n`);
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
