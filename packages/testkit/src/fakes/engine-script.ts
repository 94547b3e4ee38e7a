import type { DeltaEvent, DurableEventBody, PermissionRequest } from "@tenrec/protocol";

/** What a scripted engine does, as plain JSON. */
export interface EngineScript {
  readonly name: string;
  /** The first one whose text is in the prompt, or that has none, is played. */
  readonly turns: readonly EngineTurnScript[];
  /** Offers `resume`. */
  readonly resumable?: true;
}

export interface EngineTurnScript {
  readonly when?: { readonly prompt: { readonly includes: string } };
  readonly does: readonly EnginePart[];
}

export type EnginePart =
  /** The number of the turn is filled in where the event has one. */
  | { readonly event: EngineEvent }
  | { readonly write: string; readonly content: string }
  | { readonly remove: string }
  | { readonly commit: true }
  /** Asks the gate; what it throws fails the turn. */
  | { readonly require: PermissionRequest }
  /** Milliseconds. */
  | { readonly delay: number }
  /** Fails the turn. */
  | { readonly fail: string };

/** An event as an engine yields it, its turn being that of the run. */
export type EngineEvent = WithoutTurn<DurableEventBody | DeltaEvent>;

type WithoutTurn<E> = E extends { readonly type: string } ? Omit<E, "turn"> : never;
