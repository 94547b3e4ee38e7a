import type { Clock, CodingEngine, DeltaEvent, DurableEventBody, EngineHost, EngineTurn } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { wallClock } from "../wall-clock.ts";
import type { EngineEvent, EngineScript } from "./engine-script.ts";

export interface ScriptedEngine extends CodingEngine {
  /** What it was asked to do, oldest first. */
  readonly turns: readonly EngineTurn[];
}

/** An engine that yields the events and makes the changes of its script. Fails a turn whose prompt the script lacks. */
export function scriptedEngine(script: EngineScript, options: { readonly clock?: Clock } = {}): ScriptedEngine {
  const clock = options.clock ?? wallClock();
  const turns: EngineTurn[] = [];
  const countOf = (session: string): number => turns.filter((turn) => turn.session === session).length;
  const resume = async (session: string): Promise<string | undefined> => {
    const count = countOf(session);
    return count === 0 ? undefined : `${session}-${count}`;
  };
  return {
    name: script.name,
    turns,
    run: (turn, host) => {
      turns.push(turn);
      return play(script, turn, host, clock);
    },
    ...(script.resumable ? { resume } : {}),
  };
}

async function* play(
  script: EngineScript,
  turn: EngineTurn,
  host: EngineHost,
  clock: Clock,
): AsyncGenerator<DurableEventBody | DeltaEvent, void, void> {
  const prompt = turn.input.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const found = script.turns.find(({ when }) => !when || prompt.includes(when.prompt.includes));
  if (!found) {
    const reason = `the script of engine "${script.name}" has no turn for the prompt ${JSON.stringify(prompt)}`;
    throw new TenrecError("request-invalid", { reason });
  }
  for (const part of found.does) {
    host.signal.throwIfAborted();
    if ("event" in part) yield inTurn(part.event, turn.turn);
    else if ("write" in part) await host.fs.writeFile(part.write, part.content);
    else if ("remove" in part) await host.fs.rm(part.remove, { recursive: true });
    else if ("commit" in part) await host.commit();
    else if ("require" in part) host.gate.require(part.require);
    else if ("delay" in part) await clock.sleep(part.delay, host.signal);
    else throw new Error(part.fail);
  }
  host.signal.throwIfAborted();
}

/** The events that belong to a session rather than to one of its turns. */
const TURNLESS: readonly string[] = ["input", "compaction", "abort", "session-change", "reset"];

function inTurn(event: EngineEvent, turn: number): DurableEventBody | DeltaEvent {
  const whole = TURNLESS.includes(event.type) ? event : { ...event, turn };
  return whole as DurableEventBody | DeltaEvent;
}
