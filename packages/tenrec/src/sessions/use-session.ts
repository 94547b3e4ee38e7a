import type { SessionClient } from "@tenrec/runtime/client";
import type { Surroundings } from "../cli/surroundings.ts";
import { modelVariables } from "../local/model-variables.ts";
import { chooseModel } from "../run/choose-model.ts";
import { startAgentUnlessStopped } from "../run/local-agent.ts";
import { readSettings } from "../run/run-settings.ts";
import { withSession } from "../run/session-place.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { openSessionStore } from "../store/session-store.ts";

/** A session whose Worker runs. */
export interface UsedSession {
  readonly session: SessionClient;
  readonly record: SessionRecord;
  readonly folder: string;
}

/**
 * Runs `use` on a session, in a workerd of its own. A turn that was left unfinished goes on meanwhile, so only then its
 * model is needed. Throws `UsageError` when another command uses the session, and `StartError`.
 */
export async function useSession<T>(
  prefix: string,
  around: Surroundings,
  use: (used: UsedSession) => Promise<T>,
): Promise<T> {
  const { data, env, cwd, stop } = around;
  const record = await openSessionStore(data, around).get(prefix);
  return withSession(data, record.id, async (folder) => {
    const { isIdle, ...settings } = readSettings(folder);
    const chosen = isIdle
      ? { model: record.model, variables: modelVariables(env), script: undefined }
      : await chooseModel(record.model, env, cwd);
    const { model, variables, script } = chosen;
    await using local = await startAgentUnlessStopped(
      { folder, options: { ...settings, model, script }, variables },
      stop,
    );
    // Awaited here: the server stops when this function is left.
    return await use({ session: local.agent.session(record.id), record, folder });
  });
}
