import type { Egress } from "@tenrec/protocol";

/** All that curl reaches. Paths are as they were typed. */
export interface CurlPort {
  readonly egress: Egress;
  /** The command that asks: `curl`, or another one in its words. */
  readonly by: string;
  readonly signal: AbortSignal;
  /** Called right before something goes out. What it throws ends the transfer. */
  onSend(target: string): void;
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, bytes: Uint8Array, withFolders: boolean): Promise<void>;
  readStdin(): Uint8Array;
  /** Milliseconds, from any start. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface CurlOutput {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly exitCode: number;
}
