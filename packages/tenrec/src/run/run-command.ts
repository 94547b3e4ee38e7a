import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { InputPart } from "@tenrec/protocol";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { ParsedCommand } from "../cli/parse-command.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { UsageError } from "../cli/usage-error.ts";
import { openSessionStore } from "../store/session-store.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { type ChosenModel, chooseModel } from "./choose-model.ts";
import { createReporter } from "./create-reporter.ts";
import { Interrupted } from "./interrupts.ts";
import { modelVariables } from "../local/model-variables.ts";
import { readPrompt } from "./read-prompt.ts";
import { readStdin } from "./read-stdin.ts";
import { readRunOptions, type RunOptions } from "./run-options.ts";
import { readSettings, type RunSettings } from "./run-settings.ts";
import { newSessionId, sessionFolder, withSession } from "./session-place.ts";
import { type Job, runJob } from "./run-job.ts";

/** A turn costs money; that its patch cannot be written must be known before. */
function checkPatchFolder(patch: string | undefined): void {
  if (patch === undefined || patch === "-") return;
  const folder = dirname(patch);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`There is no folder ${folder} for the patch. Make it, or name another file.`);
  }
}

/** `tenrec run`. Throws `UsageError` before anything is started. */
export async function runCommand(parsed: ParsedCommand, around: Surroundings): Promise<ExitCode> {
  const options = readRunOptions(parsed, around.cwd);
  checkPatchFolder(options.patch);
  const { stdin, stderr } = around;
  const warn = (text: string): void => void stderr.write(`${text}\n`);
  const prompt = readPrompt({ ...options, stdin: await readStdin(stdin, warn) });
  const job = await (options.session === undefined
    ? newJob(options, prompt, around)
    : nextJob(options.session, options, prompt, around));
  using reporter = createReporter(options, around);
  try {
    return await withSession(around.data, job.id, (folder) => runJob(job, { folder, reporter, around }));
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  }
}

async function newJob(options: RunOptions, prompt: readonly InputPart[], around: Surroundings): Promise<Job> {
  if (prompt.length === 0) throw new UsageError('Say what to do: tenrec run "<prompt>". See: tenrec run --help');
  const { dir, permission = "edit", maxUsd, maxSteps } = options;
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${dir} is no folder.`);
  const chosen = await chooseModel(options.model, around.env, around.cwd);
  const settings: RunSettings = { permission, maxUsd, maxSteps, isIdle: false };
  return { id: newSessionId(), dir, record: undefined, prompt, chosen, settings, options };
}

/** Goes on with a session; what is not said again is as it was. */
async function nextJob(
  prefix: string,
  options: RunOptions,
  prompt: readonly InputPart[],
  around: Surroundings,
): Promise<Job> {
  const record = await openSessionStore(around.data, around).get(prefix);
  const { id, dir } = record;
  const before = readSettings(sessionFolder(around.data, id));
  const settings: RunSettings = {
    permission: options.permission ?? before.permission,
    maxUsd: options.maxUsd ?? before.maxUsd,
    maxSteps: options.maxSteps ?? before.maxSteps,
    isIdle: before.isIdle && prompt.length === 0,
  };
  const chosen = settings.isIdle ? unasked(record, around) : await chooseAgain(record, options, around);
  return { id, dir, record, prompt, chosen, settings, options };
}

async function chooseAgain(record: SessionRecord, { model }: RunOptions, around: Surroundings): Promise<ChosenModel> {
  const chosen = await chooseModel(model ?? record.model, around.env, around.cwd);
  return model === undefined ? { ...chosen, because: "the session" } : chosen;
}

/** The model of a session that has nothing to ask it. */
function unasked({ model }: SessionRecord, { env }: Surroundings): ChosenModel {
  return { model, name: model, because: undefined, variables: modelVariables(env) };
}
