const src = "packages/runtime/src";

/**
 * What keeps the promises, one by one: the code of a guard, and what stands there without it. The code is matched to the
 * letter; a guard that is not found exactly once stops the check.
 */
export const GUARDS = [
  {
    name: "an effect is recorded before a tool runs",
    edits: [
      [
        `${src}/run-call.ts`,
        'if (call.replay === "unsafe" || call.replay === "keyed") this.#effect(call.toolName);',
        "",
      ],
    ],
  },
  {
    name: "an effect is recorded before a command runs",
    edits: [
      [
        `${src}/run-call.ts`,
        'onEffect: (target: string, kind?: EffectEvent["kind"]) => this.#effect(target, kind),',
        "onEffect: () => {},",
      ],
    ],
  },
  {
    name: "a result and its tree are one transaction",
    edits: [
      [
        `${src}/run-call.ts`,
        "trees.commit(journal.session(run.session).head, staged, (commit) => {",
        `((rows: any) => {
          const commit = trees.commit(journal.session(run.session).head, staged);
          workspace.storage.transactionSync(() => rows(commit));
        })((commit: any) => {`,
      ],
    ],
  },
  {
    name: "a call with an effect and no result is not run again",
    edits: [[`${src}/loop.ts`, 'if (next.effect) return settle(next, "interrupted");', ""]],
  },
  {
    name: "a committed result is final",
    edits: [[`${src}/loop.ts`, "const open = turn.calls.filter((c) => !c.result);", "const open = turn.calls;"]],
  },
  {
    name: "a refused call does not run",
    edits: [
      [`${src}/loop.ts`, "if (next.approval?.approved === false) {", "if (false as boolean) {"],
      [`${src}/apply-event.ts`, "grants: approved", "grants: (true as boolean)"],
    ],
  },
  {
    name: "attempts are counted in the journal",
    edits: [[`${src}/loop.ts`, "attempt: turn.attempt + 1 }", "attempt: 1 }"]],
  },
  {
    name: "interruptions without progress are capped",
    edits: [[`${src}/driver.ts`, "if (count > MAX_INTERRUPTIONS) {", "if (false) {"]],
  },
  {
    name: "the third identical call in a row is not run",
    edits: [[`${src}/loop.ts`, 'if (next.nth >= MAX_REPEATED) return settle(next, "repeated");', ""]],
  },
  {
    name: "an approval is answered once",
    edits: [
      [
        `${src}/approvals.ts`,
        "const waiting = pendingApprovals(state).find((a) => a.approvalId === approvalId);",
        "const waiting = state.turn?.calls.flatMap((c) => c.approval ?? []).find((a) => a.approvalId === approvalId);",
      ],
    ],
  },
  {
    name: "an operation's id is accepted once",
    edits: [
      [`${src}/sessions.ts`, "const known = journal.inputHash(session, operationId);", "const known = undefined;"],
      [`${src}/journal.ts`, "INSERT INTO tenrec_operations", "INSERT OR IGNORE INTO tenrec_operations"],
    ],
  },
  {
    name: "what was billed again is flagged",
    edits: [[`${src}/call-model.ts`, "rebilled: action.attempt > 1,", "rebilled: false,"]],
  },
  {
    name: "tools run only from a committed step",
    edits: [
      [
        `${src}/model-step.ts`,
        "builder.add(part);",
        `builder.add(part);
        if (part.type === "tool-call") {
          const options = { toolCallId: part.toolCallId, messages: [], context: undefined } as any;
          void (async () => request.tools[part.toolName]?.execute?.(part.input as any, options))().catch(() => {});
        }`,
      ],
    ],
  },
  {
    name: "a replaced instance is fenced off",
    edits: [[`${src}/journal.ts`, "if (this.#storedEpoch() === this.#epoch) return;", "return;"]],
  },
  {
    name: "an instance claims the journal before it works",
    edits: [[`${src}/driver.ts`, "this.#workspace.journal.requireClaim();", ""]],
  },
  {
    name: "a start goes on with what was left",
    edits: [[`${src}/drive-job.ts`, "if (this.#hasWork()) await this.push();", ""]],
  },
  {
    name: "deltas say where they begin",
    edits: [[`${src}/deltas.ts`, "const offset = shown.offset + shown.text.length;", "const offset = 0;"]],
  },
  {
    name: "a repeated step begins its text anew",
    edits: [
      [
        `${src}/delta-key.ts`,
        'return event.type === "step-start" || event.type === "step-end" || event.type === "turn-end";',
        'return event.type === "step-end" || event.type === "turn-end";',
      ],
    ],
  },
  {
    name: "a client drops what it has seen",
    edits: [[`${src}/client/fresh-events.ts`, "if (event.seq <= after) return undefined;", ""]],
  },
];

/** The source of a file without a guard. Throws when the guard is not where it was. */
export function withoutGuard({ name, edits }, file, source) {
  return edits
    .filter(([path]) => path === file)
    .reduce((text, [path, code, instead]) => {
      const times = text.split(code).length - 1;
      if (times !== 1) throw new Error(`"${name}": found ${times} times in ${path}: ${code}`);
      return text.replace(code, () => instead);
    }, source);
}
