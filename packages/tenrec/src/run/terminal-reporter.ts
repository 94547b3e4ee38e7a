import { homedir } from "node:os";
import { diffText } from "../terminal/diff-text.ts";
import type { Paint } from "../terminal/paint.ts";
import { SessionPrinter } from "../terminal/session-printer.ts";
import { statusLine } from "../terminal/status-line.ts";
import { visible } from "../terminal/visible.ts";
import { sizeText } from "../view/size-text.ts";
import { amount, costText, tokensText } from "../view/spent.ts";
import { activityText, nextActivity, STARTING } from "./activity.ts";
import { nextSteps } from "./next-steps.ts";
import { appliedText } from "./applied-text.ts";
import type { Reporter, StartInfo } from "./reporter.ts";

export interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Standard error. */
  readonly warn: (text: string) => void;
  readonly paint: Paint;
  readonly width: number;
  readonly isTerminal: boolean;
  /** How the user calls this program. */
  readonly program: string;
}

/** Tells a person: what the agent says and does as it comes, then the diff, what it took, and how to go on. */
export function terminalReporter({ write, warn, paint, width, isTerminal, program }: TerminalOptions): Reporter {
  const line = statusLine({ write, width, isTerminal, now: () => performance.now() });
  const printer = new SessionPrinter({ write: (text) => line.write(text), paint, width });
  let activity = STARTING;
  return {
    status: (text) => line.set(text),
    warn: (text) => {
      line.set("");
      warn(`${text}\n`);
    },
    start: (info) => {
      line.set("");
      line.write(`${paint("dim", startText(info))}\n\n`);
    },
    event: (event) => {
      activity = nextActivity(activity, event);
      line.set(activityText(activity));
      printer.add(event);
    },
    diff: (diffs) => {
      if (diffs.length > 0) line.write(`\n${diffText(diffs, paint)}\n`);
    },
    result: (result) => {
      line.set("");
      const { spent } = result;
      if (spent.calls > 0) {
        const calls = `${spent.calls} model call${spent.calls === 1 ? "" : "s"}`;
        line.write(`\n${paint("dim", `${calls} · ${tokensText(spent)} · ${costText(spent)}`)}\n`);
      }
      if (result.applied) line.write(`\n${appliedText(result.applied, paint)}`);
      if (result.patch !== undefined && result.patch !== "-") line.write(`\nThe changes are in ${result.patch}\n`);
      for (const step of nextSteps(result, program)) line.write(`${paint("dim", step)}\n`);
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}

function startText({ session, dir, model, because, isNew, files, bytes }: StartInfo): string {
  const place = visible(dir.startsWith(`${homedir()}/`) ? `~${dir.slice(homedir().length)}` : dir);
  const what = isNew ? `${amount(files)} file${files === 1 ? "" : "s"} (${sizeText(bytes)}) of ${place}` : place;
  const from = because === undefined ? "" : `\n${model}, because of ${because}`;
  return `${isNew ? "Session" : "Going on with session"} ${session} · ${what}${from}`;
}
