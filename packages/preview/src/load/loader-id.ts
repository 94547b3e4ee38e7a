import { sha256 } from "../graph/sha256.ts";
import { TRANSFORMER_VERSION } from "../graph/transform-script.ts";

/** All that two apps must have in common to be allowed to share an isolate, its globals and its secrets. */
export interface LoaderIdentity {
  /** The id of the object that hosts the preview. */
  readonly object: string;
  readonly session: string;
  /** Hash of the names and contents of all modules, those of npm packages included. */
  readonly modules: string;
  readonly compatibility: { readonly date: string; readonly flags: readonly string[] };
  /** Variables, bindings and limits. */
  readonly env: unknown;
  /** Names the policy by which the app reaches the network. */
  readonly egress: string;
}

/** The id under which the Worker Loader keeps an app: 64 hex digits. */
export function loaderId(identity: LoaderIdentity): Promise<string> {
  const { object, session, modules, compatibility, env, egress } = identity;
  const { date, flags } = compatibility;
  return sha256(JSON.stringify([TRANSFORMER_VERSION, object, session, modules, date, flags, env, egress]));
}
