import type { BashOptions } from "just-bash/browser";

const MIB = 1024 * 1024;
/** What a command line may print, and what may be in a pipe at a time. */
export const MAX_OUTPUT_BYTES: number = 5 * MIB;

// The object has 128 MB for everything. Lines of a file through jq are cheap and bounded by its size, so they get
// more than the profile's 10,000; loops of the shell do not.
export const LIMITS: NonNullable<BashOptions["executionLimits"]> = {
  maxStringLength: 5 * MIB,
  maxOutputSize: MAX_OUTPUT_BYTES,
  maxLiveBytes: 32 * MIB,
  maxInputBytes: 32 * MIB,
  maxFileSystemBytes: 16 * MIB,
  maxHeredocSize: 2 * MIB,
  maxSedIterations: 20_000,
  maxJqIterations: 200_000,
  maxWorkUnits: 1_000_000,
};
