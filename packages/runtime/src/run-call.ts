import type {
  DurableEventBody,
  EffectEvent,
  PermissionClass,
  PermissionRequest,
  ToolCallEvent,
  ToolOutput,
  ToolResultEvent,
} from "@tenrec/protocol";
import { hasCode, TenrecError, toModelText } from "@tenrec/protocol";
import { type CodingTool, createEgress, createTools } from "@tenrec/tools";
import { createSearch, type Overlay, type TreeChange } from "@tenrec/vfs";
import type { Git } from "@tenrec/vfs/git";
import { openGit } from "./call-git.ts";
import { bashCommand, createGate, requestedHost } from "./gate.ts";
import { sha256 } from "./hash.ts";
import { isRedacted } from "./redaction/redact-json.ts";
import { REDACTED } from "./redaction/redactor.ts";
import { type CallSeen, callSeen } from "./seen-files.ts";
import { savedOutputs } from "./saved-outputs.ts";
import type { CallState } from "./session-state.ts";
import { toToolOutput } from "./tool-output.ts";
import { untilAborted } from "./until-aborted.ts";
import { treeOf, type Workspace } from "./workspace.ts";

interface CallRun {
  readonly session: string;
  readonly state: CallState;
  readonly signal: AbortSignal;
}

/** What a person is told that a call wants to do. */
function describe(call: ToolCallEvent): string {
  const detail = bashCommand(call.toolName, call.input) ?? JSON.stringify(call.input);
  return `${call.toolName}: ${detail}`.slice(0, 2000);
}

/** One try of a call: its own overlay, and whether it had an effect outside. */
class Attempt {
  readonly overlay: Overlay;
  readonly seen: CallSeen;
  hasEffect = false;
  /** Set when the call has used git. */
  git: Git | undefined;
  readonly #workspace: Workspace;
  readonly #run: CallRun;

  constructor(workspace: Workspace, run: CallRun) {
    this.#workspace = workspace;
    this.#run = run;
    this.seen = callSeen(() => workspace.journal.state(run.session));
    this.overlay = workspace.trees.overlay(treeOf(workspace, run.session));
  }

  /** The tool's answer. Throws only what must not become one: a stop, and the need for an approval. */
  async execute(): Promise<ToolOutput> {
    const { call } = this.#run.state;
    const { signal, session } = this.#run;
    const outputs = savedOutputs(this.#workspace, session, call.toolCallId);
    try {
      const tool = this.#tool(outputs);
      if (call.replay === "unsafe" || call.replay === "keyed") this.#effect(call.toolName);
      if (!tool.execute) throw new TenrecError("unsupported", { what: "being run", by: call.toolName });
      const options = { toolCallId: call.toolCallId, messages: [], abortSignal: signal, context: undefined };
      const running = Promise.resolve(tool.execute(call.input, options));
      return toToolOutput(await untilAborted(running, signal), outputs);
    } catch (error) {
      if (signal.aborted || hasCode(error, "approval-required")) throw error;
      return { text: toModelText(error), isError: true };
    }
  }

  #tool(outputs: ReturnType<typeof savedOutputs>): CodingTool {
    const { config, deltas, previews } = this.#workspace;
    const { session, state } = this.#run;
    const { call } = state;
    const grants = grantsOf(state);
    const tooLate = (): string | undefined =>
      this.hasEffect ? "the call has done something already; make it a call of its own" : undefined;
    const gate = createGate(config.policy, { tool: call.toolName, input: call.input, grants, tooLate });
    const { turn, toolCallId } = call;
    const ports = {
      fs: this.overlay,
      search: createSearch(this.overlay),
      git: (ending: AbortSignal) => this.#openGit(ending),
      gate,
      outputs,
      seen: this.seen,
      changed: () => this.overlay.changes().map(({ path }) => path),
      executors: config.executors,
      operationId: `${session}/${toolCallId}`,
      egress: createEgress({ ...config.network, gate }),
      ...(previews?.available ? { preview: previews.portFor(session) } : {}),
      onEffect: (target: string, kind?: EffectEvent["kind"]) => this.#effect(target, kind),
      onOutput: (stream: "stdout" | "stderr", text: string) =>
        deltas.add(session, { type: "tool-output-delta", turn, toolCallId, stream, text }),
    };
    const tools = config.tools(createTools(ports));
    const tool = Object.hasOwn(tools, call.toolName) ? tools[call.toolName] : undefined;
    if (!tool) throw new TenrecError("tool-unknown", { tool: call.toolName, known: Object.keys(tools) });
    if (call.permission !== "read" && isRedacted(call.input)) {
      throw new TenrecError("secret-redacted", { tool: call.toolName, mark: REDACTED });
    }
    const host = requestedHost(call.toolName, call.input, config.network);
    const request = { permission: call.permission, detail: describe(call), ...(host === undefined ? {} : { host }) };
    gate.require(request);
    // A person answers for it, also where the policy would allow it.
    if (call.replay === "human" && grants.length === 0) throw new TenrecError("approval-required", request);
    return tool;
  }

  #openGit(ending: AbortSignal): Git {
    const { signal, session } = this.#run;
    const { head } = this.#workspace.journal.session(session);
    const onEffect = (target: string, kind: EffectEvent["kind"]): void => this.#effect(target, kind);
    this.git ??= openGit(this.#workspace, {
      overlay: this.overlay,
      head,
      signal: AbortSignal.any([signal, ending]),
      onEffect,
    });
    return this.git;
  }

  /** Durable before it happens: a call with an effect and without a result is never repeated. */
  #effect(target: string, kind: EffectEvent["kind"] = "process"): void {
    this.#run.signal.throwIfAborted();
    if (this.hasEffect) {
      // One effect is enough for the journal, but a replaced instance must not go on to the next.
      this.#workspace.journal.assertCurrent();
      return;
    }
    const { turn, toolCallId } = this.#run.state.call;
    const body = { type: "effect", turn, toolCallId, kind, target: target.slice(0, 2000) } as const;
    this.#workspace.journal.append(this.#run.session, [body]);
    this.hasEffect = true;
  }
}

function fileChanges(call: ToolCallEvent, changes: readonly TreeChange[]): DurableEventBody[] {
  const { turn, toolCallId } = call;
  return changes.map(({ path, change, before, after }) => ({
    type: "file-change",
    turn,
    toolCallId,
    path,
    change,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }));
}

/** A command that ran in an executor says so in what it tells a user interface. */
function escalation(call: ToolCallEvent, { data }: ToolOutput, durationMs: number): DurableEventBody[] {
  if (typeof data !== "object" || data === null || !("executor" in data)) return [];
  const { executor } = data;
  if (typeof executor !== "string") return [];
  const { turn, toolCallId, toolName } = call;
  const reason = `${toolName} needs what the isolate's shell does not have`;
  return [{ type: "escalation", turn, toolCallId, executor, reason, durationMs }];
}

/** The result of a call, as the journal has it. */
export function toolResult(
  call: ToolCallEvent,
  status: ToolResultEvent["status"],
  output: ToolOutput,
  tree: string,
  durationMs: number,
): ToolResultEvent {
  const { turn, step, toolCallId, toolName } = call;
  return { type: "tool-result", turn, step, toolCallId, toolName, status, output, durationMs, tree };
}

async function runOnce(workspace: Workspace, run: CallRun, attempt: Attempt): Promise<void> {
  const { journal, trees, clock } = workspace;
  const { call } = run.state;
  const started = clock.now();
  const output = await attempt.execute();
  run.signal.throwIfAborted();
  const staged = await trees.stage(attempt.overlay);
  await attempt.git?.prepare();
  run.signal.throwIfAborted();
  const status = output.isError ? "error" : "ok";
  let events: ReturnType<typeof journal.write> = [];
  trees.commit(journal.session(run.session).head, staged, (commit) => {
    attempt.git?.rows();
    const durationMs = clock.now() - started;
    const { added } = attempt.seen;
    const seen = Object.keys(added).length > 0 ? { seen: added } : {};
    const result = { ...toolResult(call, status, output, commit.tree, durationMs), ...seen };
    const changes = fileChanges(call, commit.changes);
    events = journal.write(run.session, [...escalation(call, output, durationMs), ...changes, result]);
  });
  journal.publish(events);
}

function inputHash({ input }: ToolCallEvent): string {
  return sha256(JSON.stringify(input));
}

/** What a person allowed this call: nothing of what was allowed to other arguments. */
function grantsOf({ call, grants }: CallState): PermissionClass[] {
  if (grants.length === 0) return [];
  const hash = inputHash(call);
  return grants.filter((grant) => grant.inputHash === hash).map(({ permission }) => permission);
}

function ask(workspace: Workspace, run: CallRun, error: { readonly data: PermissionRequest }): void {
  const { call } = run.state;
  const { approvalExpiry } = workspace.config;
  workspace.journal.append(run.session, [
    {
      type: "approval-request",
      turn: call.turn,
      approvalId: crypto.randomUUID(),
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      permission: error.data.permission,
      detail: error.data.detail,
      inputHash: inputHash(call),
      ...(approvalExpiry === undefined ? {} : { expiresAt: workspace.clock.now() + approvalExpiry }),
    },
  ]);
}

/**
 * Runs one call on an overlay of its own and commits the tree's changes and the result in one transaction. A crash before
 * that leaves no trace. A conflict with another commit runs the call once more on the newer tree, unless it had an effect
 * elsewhere.
 */
export async function runCall(workspace: Workspace, run: CallRun): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const attempt = new Attempt(workspace, run);
    try {
      await runOnce(workspace, run, attempt);
      return;
    } catch (error) {
      if (hasCode(error, "approval-required")) {
        ask(workspace, run, error);
        return;
      }
      if (run.signal.aborted) throw error;
      if (hasCode(error, "tree-conflict") && !attempt.hasEffect && tries === 1) continue;
      settleFailed(workspace, run, error, attempt.hasEffect);
      return;
    } finally {
      attempt.overlay[Symbol.dispose]();
    }
  }
}

/** The call ran, but its changes could not be committed: the model is told, and the tree is as before. */
function settleFailed(workspace: Workspace, run: CallRun, error: unknown, hasEffect: boolean): void {
  const tree = treeOf(workspace, run.session);
  const note = hasEffect ? "\nThe command itself did run; only its changes to files were dropped." : "";
  const output = { text: `${toModelText(error)}${note}`, isError: true };
  workspace.journal.append(run.session, [toolResult(run.state.call, "error", output, tree, 0)]);
}
