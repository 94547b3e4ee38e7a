import type { Json } from "./json.ts";

/**
 * What may be done with a tool call whose result was not committed before the object died.
 * - `pure`: has no effect; runs again, and together with other pure calls.
 * - `transaction`: its only effects are tree changes that commit together with its result; runs again.
 * - `keyed`: has an effect outside that can be looked up by a key; never runs again by itself. A host that has no way to
 *   look it up treats it as `unsafe`.
 * - `unsafe`: may have had an effect outside; never runs again, the model is told that the outcome is unknown.
 * - `human`: a person answers for it; every call waits for an approval, whatever the policy allows.
 */
export type ReplayClass = "pure" | "transaction" | "keyed" | "unsafe" | "human";

/**
 * What a tool call may touch.
 * - `read`: looks at the tree.
 * - `edit`: changes the tree, of which every earlier state is kept; `bash` in the isolate without network included.
 * - `execute`: runs code in a fresh isolate or a container.
 * - `network`: reaches beyond the object.
 */
export type PermissionClass = "read" | "edit" | "execute" | "network";

/** The two classes that every tool declares. A tool that declares none is treated as `unsafe` and `network`. */
export interface ToolTraits {
  readonly replay: ReplayClass;
  readonly permission: PermissionClass;
}

/** A piece of a tool's answer that is not text, such as an image. */
export interface ToolMedia {
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** A tool's answer. Tools never throw at a model: a failure is an answer with `isError`. */
export interface ToolOutput {
  /** What the model reads, within the output caps of `limits.ts`. */
  readonly text: string;
  readonly isError?: boolean;
  readonly media?: readonly ToolMedia[];
  /** For a user interface; the model does not see it. */
  readonly data?: Json;
}

/** A question to the policy, raised before or inside a tool call. */
export interface PermissionRequest {
  readonly permission: PermissionClass;
  /** What exactly is wanted, for the person who is asked: a command line, an address. */
  readonly detail: string;
  /** Of `network`: the host, with its port where that is not the protocol's own. The policy's rules for hosts count then. */
  readonly host?: string;
  /** The command of a `bash` line that asks. Rules for other commands of the line do not count then. */
  readonly by?: string;
  /** The host that sends the request on to this one. What was granted to the call does not reach so far. */
  readonly via?: string;
}

/** Decides whether a call may go on. Handed to tools by the runtime. */
export interface Gate {
  /**
   * Returns when the request is allowed. Throws `permission-denied`, or `approval-required`, which a tool must let pass:
   * the runtime drops what the call did so far, asks, and runs the call again from its start with the grant.
   */
  require(request: PermissionRequest): void;
}
