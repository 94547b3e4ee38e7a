import type { DeltaEvent, DurableEventBody } from "./events.ts";
import type { FileSystem } from "./file-system.ts";
import type { Gate } from "./tool.ts";
import type { InputPart } from "./turn.ts";

/** What an engine is asked to do. */
export interface EngineTurn {
  readonly session: string;
  readonly turn: number;
  readonly input: readonly InputPart[];
  readonly model: string;
  /** The engine's own conversation from an earlier turn, as it returned it; absent on the first one. */
  readonly resumeFrom?: string;
}

/** What an engine may use. */
export interface EngineHost {
  /** The tree to work on. Nothing is kept until `commit`; take `fs` from the host again after it. */
  readonly fs: FileSystem;
  /** An engine cannot start anew, so nobody is asked: what the policy asks for is refused with `permission-denied`. */
  readonly gate: Gate;
  /** Aborted when the turn is stopped. An engine then ends its iteration soon, by returning or by throwing the reason. */
  readonly signal: AbortSignal;
  /** Keeps what was changed through `fs`. Resolves with the root hash of the tree. Done once more after `run` returns. */
  commit(): Promise<string>;
}

/**
 * Something that can work through a turn: a coding agent of another make, behind the same events as the native loop.
 * An optional method that is absent is a capability that is missing; asking for it is the error `unsupported`.
 */
export interface CodingEngine {
  readonly name: string;
  /**
   * Works through one turn and yields what happens, in order; the host stamps and stores the durable ones.
   * Yields neither `turn-start` nor `turn-end`: these are the host's. Returning normally means that the turn is done and
   * the last text is its answer; throwing means that it failed.
   */
  run(turn: EngineTurn, host: EngineHost): AsyncIterable<DurableEventBody | DeltaEvent>;
  /** Adds input to the running turn. */
  steer?(session: string, input: readonly InputPart[]): Promise<void>;
  /** What to pass as `resumeFrom` next time. */
  resume?(session: string): Promise<string | undefined>;
}
