import type { Policy } from "@tenrec/protocol";

/** A preset of the policy, as `--permission` names it. */
export type Permission = "read" | "edit" | "execute" | "all" | "ask";

/** What each preset allows. Nobody is asked by `read` and `all`; the others ask for what they do not allow. */
export const PERMISSIONS: Readonly<Record<Permission, Policy>> = {
  read: { read: "allow", edit: "deny", execute: "deny", network: "deny" },
  ask: { read: "allow", edit: "ask", execute: "ask", network: "ask" },
  edit: { read: "allow", edit: "allow", execute: "ask", network: "ask" },
  execute: { read: "allow", edit: "allow", execute: "allow", network: "ask" },
  all: { read: "allow", edit: "allow", execute: "allow", network: "allow" },
};

export const PERMISSION_NAMES: readonly Permission[] = Object.keys(PERMISSIONS) as Permission[];

export const DEFAULT_PERMISSION: Permission = "edit";

/** Whether a word is the name of a preset. */
export function isPermission(word: string): word is Permission {
  return Object.hasOwn(PERMISSIONS, word);
}
