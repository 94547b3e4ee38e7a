import type { PermissionRequest } from "@tenrec/protocol";
import type { GateSubject } from "@tenrec/protocol/testing";
import { gateCases } from "@tenrec/protocol/testing";
import { TenrecError } from "@tenrec/protocol";
import { fixedGate } from "./fixed-gate.ts";
import { canFail, keepsContract } from "./with-cases.ts";

const subject = (): GateSubject => ({
  gate: fixedGate({ execute: "ask", network: "deny" }),
  allowed: { permission: "edit", detail: "src/a.ts" },
  asked: { permission: "execute", detail: "npm test" },
  denied: { permission: "network", detail: "curl example.com" },
});

keepsContract("fixedGate", gateCases, subject);

const deciding = (require: (request: PermissionRequest) => void): (() => GateSubject) => {
  return () => ({ ...subject(), gate: { require } });
};

canFail(gateCases, {
  "an allowed request returns, synchronously": deciding(() => Promise.resolve() as unknown as void),
  "a denied request throws permission-denied": deciding(() => {}),
  "a request that a person must decide throws approval-required": deciding(({ permission }) => {
    throw new TenrecError("approval-required", { permission, detail: "something else" });
  }),
  "an answer does not depend on what was asked before": () => {
    const asked = new Set<string>();
    const require = (request: PermissionRequest): void => {
      if (asked.has(request.detail)) return;
      asked.add(request.detail);
      subject().gate.require(request);
    };
    return { ...subject(), gate: { require } };
  },
});
