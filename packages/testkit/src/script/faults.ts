import type { FaultPart, ScriptPart } from "./script.ts";

/** Whether a call still meets this part, by how often one with the same conversation was made. */
export function isDue(part: ScriptPart, attempt: number): boolean {
  const fault = "error" in part ? part.error : part;
  const times = "message" in fault || "cut" in fault || "stall" in fault || "raw" in fault ? fault.times : undefined;
  return times === undefined || attempt <= times;
}

/** Whether it breaks off the part before it, so that only half of that is said. */
export function breaksOff(part: ScriptPart | undefined): part is FaultPart {
  return part !== undefined && ("cut" in part || "stall" in part);
}

/** Never resolves; rejects with the signal's reason when the client goes away. */
export function stalled(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
