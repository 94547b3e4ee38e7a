import type { DurableEvent, SessionPoint } from "@tenrec/protocol";
import { liveEvents } from "@tenrec/runtime/client";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { ParsedCommand } from "../cli/parse-command.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { UsageError } from "../cli/usage-error.ts";
import { readSettings, writeSettings } from "../run/run-settings.ts";
import { oneLine } from "../view/one-line.ts";
import { useSession } from "./use-session.ts";

/** Which turn is to go, by default the last one; or that the newest undo is. Throws `UsageError`. */
export function readUndo({ values, switches }: Pick<ParsedCommand, "values" | "switches">): number | "last" | "redo" {
  const turn = values.get("turn")?.[0];
  if (switches.has("redo")) {
    if (turn !== undefined) throw new UsageError("--redo and --turn do not go together.");
    return "redo";
  }
  if (turn === undefined) return "last";
  if (/^[1-9]\d{0,8}$/.test(turn)) return Number(turn);
  throw new UsageError(`--turn takes the number of a turn, and "${turn}" is none.`);
}

/** The moment to go back to. Throws `UsageError` when there is nothing to take back. */
export function undoPoint(events: readonly DurableEvent[], wanted: number | "last" | "redo"): SessionPoint {
  if (typeof wanted === "number") return { turn: wanted };
  const live = liveEvents(events);
  if (wanted === "last") {
    const last = live.findLast((event) => event.type === "turn-start");
    if (!last) throw new UsageError("There is no turn to take back.");
    return { turn: last.turn };
  }
  const last = live.findLast(({ type }) => type === "undo" || type === "turn-start");
  if (last?.type !== "undo")
    throw new UsageError("There is no undo to take back: a turn came after it, or there was none.");
  return { seq: last.seq - 1 };
}

/** `tenrec sessions undo`. Throws `point-not-found` for a turn that is not there. */
export async function undoTurn(prefix: string, parsed: ParsedCommand, around: Surroundings): Promise<ExitCode> {
  const wanted = readUndo(parsed);
  const { stdout, program } = around;
  return useSession(prefix, around, async ({ session, folder }) => {
    const { files } = await session.undo(undoPoint(await session.history(), wanted), { whenBusy: "abort" });
    writeSettings(folder, { ...readSettings(folder), isIdle: true });
    const count = files.length === 1 ? "1 file" : `${files.length} files`;
    stdout.write(`Done; ${count} of the session changed${files.length > 0 ? ":" : "."}\n`);
    for (const file of files) stdout.write(`  ${oneLine(file.slice(1))}\n`);
    stdout.write(`Your folder is as it was. To change it too: ${program} run --session ${session.id} --apply\n`);
    return EXIT.done;
  });
}
