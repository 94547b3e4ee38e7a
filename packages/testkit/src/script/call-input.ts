import type { CallPart, RawCallPart } from "./script.ts";

/** The arguments of a call as they go over the wire. */
export function callInput(part: CallPart | RawCallPart): string {
  return "rawInput" in part ? part.rawInput : JSON.stringify(part.input);
}
