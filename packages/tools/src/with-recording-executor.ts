import type { ExecEvent, Executor } from "@tenrec/protocol";

/** Takes every command line, runs none and tells which ones came. */
export function recordingExecutor(): Executor & { readonly ran: readonly string[] } {
  const ran: string[] = [];
  return {
    name: "fake",
    ran,
    accepts: () => true,
    async *exec(command): AsyncGenerator<ExecEvent> {
      ran.push(command);
      yield { type: "exit", code: 0 };
    },
  };
}
