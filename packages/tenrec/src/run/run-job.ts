import type { DurableEvent, InputPart } from "@tenrec/protocol";
import { PRICES } from "@tenrec/runtime/models";
import type { SessionClient } from "@tenrec/runtime/client";
import type { ExitCode } from "../cli/exit-code.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { StartError } from "../local/start-error.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { openSessionStore } from "../store/session-store.ts";
import { sizeText } from "../view/size-text.ts";
import { NOTHING_SPENT, spend } from "../view/spent.ts";
import { askApproval } from "./ask-approval.ts";
import type { ChosenModel } from "./choose-model.ts";
import { followSession } from "./follow-session.ts";
import { importFolder, LARGE_BYTES } from "./import-folder.ts";
import { unlessStopped } from "./interrupts.ts";
import { type LocalAgent, startAgentUnlessStopped } from "./local-agent.ts";
import { exitCodeOf, NOTHING_TO_DO, turnOutcome, type TurnOutcome } from "./outcome.ts";
import type { Reporter } from "./reporter.ts";
import type { RunOptions } from "./run-options.ts";
import { type RunSettings, writeSettings } from "./run-settings.ts";
import { readChanges, takeChanges } from "./take-changes.ts";

/** A run that was understood, and whose model is there. */
export interface Job {
  readonly id: string;
  readonly dir: string;
  /** Absent for a new session. */
  readonly record: SessionRecord | undefined;
  readonly prompt: readonly InputPart[];
  readonly chosen: ChosenModel;
  readonly settings: RunSettings;
  readonly options: RunOptions;
}

export interface JobContext {
  /** The session's, which nobody else uses meanwhile. */
  readonly folder: string;
  readonly reporter: Reporter;
  readonly around: Surroundings;
}

interface Opened {
  readonly session: SessionClient;
  readonly record: SessionRecord;
}

/** Told to the model of every run. */
const INSTRUCTIONS =
  "You work on a copy of a folder of the user's machine, and the user is shown the diff at the end. " +
  "There is no git history in it, and what is installed is left out.";

/** Starts the Worker, brings the session to rest, and takes its changes. Throws `Interrupted` while there is no turn to stop. */
export async function runJob(job: Job, context: JobContext): Promise<ExitCode> {
  const { chosen, settings, prompt } = job;
  const { folder, reporter, around } = context;
  const { stop } = around;
  warnOfPrice(job, reporter);
  writeSettings(folder, { ...settings, isIdle: false });
  reporter.status("starting workerd");
  const { model, variables, script } = chosen;
  const { permission, maxUsd, maxSteps } = settings;
  const options = { model, permission, maxUsd, maxSteps, instructions: INSTRUCTIONS, script };
  await using local = await startAgentUnlessStopped({ folder, options, variables }, stop);
  const { session, record } = await unlessStopped(open(job, local, context), stop);
  const followed = await follow(session, job, local, context);
  const outcome = followed ? turnOutcome(followed, stop.aborted) : NOTHING_TO_DO;
  if (outcome.reason !== "approval" && (outcome.reason !== undefined || prompt.length === 0)) {
    writeSettings(folder, { ...settings, isIdle: true });
  }
  // Awaited here: the server stops when this function is left.
  return await finish({ session, record }, outcome, followed?.events ?? [], job, context);
}

/** The session, with the folder's files in it. */
async function open(job: Job, { agent }: LocalAgent, { reporter, around }: JobContext): Promise<Opened> {
  const { id, dir, chosen, settings, prompt } = job;
  const store = openSessionStore(around.data, around);
  const { model, because, name } = chosen;
  const info = { session: id, dir, model, because, permission: settings.permission };
  if (job.record) {
    reporter.start({ ...info, isNew: false, files: 0, bytes: 0 });
    const record = job.record.model === name ? job.record : await store.update(id, { model: name });
    return { session: agent.session(id), record };
  }
  const session = await agent.sessions.create({ id, filesFrom: null });
  let isLarge = false;
  const { base, files, bytes } = await importFolder(session, dir, (count, size) => {
    reporter.status(`copying the folder: ${count} files, ${sizeText(size)}`);
    if (isLarge || size <= LARGE_BYTES) return;
    isLarge = true;
    reporter.warn(
      `The folder has more than ${sizeText(LARGE_BYTES)}. List in .gitignore what the agent does not need.`,
    );
  });
  const record = await store.create({ id, dir, title: titleOf(prompt), model: name, base });
  reporter.start({ ...info, isNew: true, files, bytes });
  return { session, record };
}

function titleOf(prompt: readonly InputPart[]): string {
  const text = prompt.find((part) => part.type === "text");
  return text?.type === "text" ? (text.text.split("\n")[0] ?? "").slice(0, 80) : "an image";
}

/** Undefined when there is nothing to follow. Throws `StartError` when workerd ends meanwhile. */
async function follow(
  session: SessionClient,
  { prompt, options }: Job,
  local: LocalAgent,
  { reporter, around }: JobContext,
): Promise<Awaited<ReturnType<typeof followSession>> | undefined> {
  const { stop, stdin, stdout } = around;
  const { state, lastSeq } = await session.info();
  if (state === "idle" && prompt.length === 0) return undefined;
  // The whole of a turn that goes on.
  const after = state === "idle" ? lastSeq : await lastTurnEnd(session);
  if (prompt.length > 0) await session.submit(prompt);
  const isInteractive = stdin.isTTY && stdout.isTTY && !options.json;
  const write = (text: string): void => void stdout.write(text);
  const following = followSession(session, {
    after,
    stop,
    onEvent: (event) => reporter.event(event),
    ask: isInteractive ? () => askApproval({ input: stdin, write, stop }) : undefined,
  });
  stop.addEventListener("abort", () => reporter.status("stopping; Ctrl-C again leaves at once"), { once: true });
  const broken = local.broken.then((reason) => {
    throw new StartError(reason);
  });
  // It may break later too, when nobody listens any more.
  broken.catch(() => {});
  return Promise.race([following, broken]);
}

async function lastTurnEnd(session: SessionClient): Promise<number> {
  return (await session.history()).findLast(({ type }) => type === "turn-end" || type === "undo")?.seq ?? 0;
}

async function finish(
  { session, record }: Opened,
  outcome: TurnOutcome,
  events: readonly DurableEvent[],
  { id, dir, options }: Job,
  { reporter, around }: JobContext,
): Promise<ExitCode> {
  const { base } = record;
  const changes = await readChanges(session, base);
  reporter.diff(changes.diffs);
  const { patch, apply } = outcome.isTakeable ? options : { patch: undefined, apply: false };
  const { stdout } = around;
  const taken = await takeChanges(session, changes, {
    dir,
    base,
    patch,
    apply,
    stdout,
    warn: (text) => reporter.warn(text),
  });
  const store = openSessionStore(around.data, around);
  await store.update(id, taken.base === base ? {} : { base: taken.base });
  const exitCode = exitCodeOf(outcome.exitCode, taken.applied);
  const spent = events.reduce(spend, NOTHING_SPENT);
  const { reason, text } = outcome;
  const hasChanges = changes.diffs.length > 0;
  reporter.result({
    exitCode,
    session: id,
    reason,
    text,
    spent,
    hasChanges,
    applied: taken.applied,
    patch: taken.patch,
  });
  return exitCode;
}

/** A cap on money does not see calls whose price is not known. */
function warnOfPrice({ chosen, settings, options }: Job, reporter: Reporter): void {
  const isPriced = Object.hasOwn(PRICES, chosen.model) || chosen.model.startsWith("scripted/");
  if (options.maxUsd === undefined || isPriced || settings.isIdle) return;
  reporter.warn(`No price is known for ${chosen.model}: --max-cost cannot stop it. Use --max-steps.`);
}
