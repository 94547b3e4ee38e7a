import type { Gate, PermissionClass, Verdict } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";

/** A gate with one verdict for each permission class; what is left out is allowed. */
export function fixedGate(verdicts: { readonly [P in PermissionClass]?: Verdict } = {}): Gate {
  return {
    require: ({ permission, detail }) => {
      const verdict = verdicts[permission] ?? "allow";
      if (verdict === "deny") throw new TenrecError("permission-denied", { permission, detail });
      if (verdict === "ask") throw new TenrecError("approval-required", { permission, detail });
    },
  };
}
