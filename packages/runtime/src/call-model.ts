import type { DurableEventBody } from "@tenrec/protocol";
import type { LanguageModel } from "ai";
import type { Conversations } from "./conversations.ts";
import { describedTools } from "./described-tools.ts";
import { type Action, MAX_ATTEMPTS } from "./loop.ts";
import { modelFailure } from "./model-error.ts";
import { InterruptedAnswer, modelStep } from "./model-step.ts";
import { priceOf } from "./prices.ts";
import type { Instructions } from "./read-instructions.ts";
import type { TurnState } from "./session-state.ts";
import { systemPrompt } from "./system-prompt.ts";
import { untilAborted } from "./until-aborted.ts";
import { treeOf, type Workspace } from "./workspace.ts";

/** First wait before a repeated model call; doubles each time. In milliseconds. */
const BACKOFF_MS = 1000;

interface ModelCall {
  readonly session: string;
  readonly turn: TurnState;
  readonly action: Extract<Action, { type: "call-model" }>;
  readonly signal: AbortSignal;
  readonly conversations: Conversations;
  readonly instructions: Instructions;
}

/** Providers that take images in the results of tools; others would be sent them as text. */
function takesMediaInResults(model: LanguageModel): boolean {
  return typeof model !== "string" && /^(anthropic\.|openai\.responses)/.test(model.provider);
}

async function callOnce(
  workspace: Workspace,
  { session, turn, action, signal, conversations, instructions }: ModelCall,
): Promise<DurableEventBody[]> {
  const { config, clock, deltas } = workspace;
  const model = await untilAborted(config.resolveModel(turn.model), signal);
  const tools = describedTools(workspace);
  const project = await instructions(turn.tree);
  const { messages, callIds } = conversations.of(session, { mediaInResults: takesMediaInResults(model) });
  return modelStep({
    model,
    modelName: turn.model,
    price: priceOf(config.prices, turn.model),
    instructions: systemPrompt(tools, project, config.instructions),
    messages,
    tools,
    takenIds: callIds,
    turn: turn.turn,
    step: action.step,
    rebilled: action.attempt > 1,
    signal,
    clock,
    onDelta: (delta) => deltas.add(session, delta),
  });
}

/** Makes a step's model call and commits what it said, or the error that it met. Throws only when stopped. */
export async function callModel(workspace: Workspace, call: ModelCall): Promise<void> {
  const { journal, clock, random } = workspace;
  const { session, turn, action, signal } = call;
  const { step, attempt } = action;
  journal.append(session, [{ type: "step-start", turn: turn.turn, step, attempt }]);
  try {
    journal.append(session, await callOnce(workspace, call));
  } catch (thrown) {
    // What an interrupted answer used was billed, also when it was a person who interrupted it.
    const used = thrown instanceof InterruptedAnswer ? [thrown.usage] : [];
    if (signal.aborted) journal.append(session, used);
    signal.throwIfAborted();
    const failure = modelFailure(turn.model, thrown, clock.now(), attempt);
    const failed: DurableEventBody[] = [...used, { type: "error", turn: turn.turn, error: failure.error }];
    if (!failure.retryable) {
      const tree = treeOf(workspace, session);
      const text = failure.error.message;
      journal.append(session, [...failed, { type: "turn-end", turn: turn.turn, reason: "failed", text, tree }]);
      return;
    }
    journal.append(session, failed);
    if (attempt < MAX_ATTEMPTS) {
      const backoff = BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + random());
      await clock.sleep(failure.retryAfterMs ?? backoff, signal);
    }
  }
}
