import { hasCode } from "../errors.ts";
import type { Gate, PermissionRequest } from "../tool.ts";
import { check } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";

/** A gate with a question for each of its three answers. */
export interface GateSubject {
  readonly gate: Gate;
  readonly allowed: PermissionRequest;
  readonly asked: PermissionRequest;
  readonly denied: PermissionRequest;
}

function thrownBy(gate: Gate, request: PermissionRequest): unknown {
  try {
    gate.require(request);
  } catch (error) {
    return error;
  }
  throw new Error(`expected ${request.permission} ${request.detail} to be refused`);
}

function checkRefusal(code: "permission-denied" | "approval-required", gate: Gate, request: PermissionRequest): void {
  const error = thrownBy(gate, request);
  check(hasCode(error, code), `the code ${code}`);
  const { permission, detail } = error.data;
  check(permission === request.permission && detail === request.detail, "data that repeats the question");
}

const CASES: Readonly<Record<string, (subject: GateSubject) => void>> = {
  "an allowed request returns, synchronously": ({ gate, allowed }) => {
    const answer: unknown = gate.require(allowed);
    check(answer === undefined, "no answer, and no promise of one");
  },
  "a denied request throws permission-denied": ({ gate, denied }) => checkRefusal("permission-denied", gate, denied),
  "a request that a person must decide throws approval-required": ({ gate, asked }) =>
    checkRefusal("approval-required", gate, asked),
  "an answer does not depend on what was asked before": ({ gate, allowed, asked, denied }) => {
    for (let round = 0; round < 2; round++) {
      checkRefusal("permission-denied", gate, denied);
      gate.require(allowed);
      checkRefusal("approval-required", gate, asked);
    }
  },
};

export const gateCases: readonly ContractCase<GateSubject>[] = Object.entries(CASES).map(([name, run]) => ({
  group: "Gate",
  name,
  run: async (make) => {
    await using subject = await make();
    run(subject);
  },
}));
